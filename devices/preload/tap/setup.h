// What turns a tap on, of a page and of a device, besides what it follows.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_SETUP_H_
#define WALTAX_DEVICES_PRELOAD_TAP_SETUP_H_

#include "page.h"

// The variable's value, or NULL where it is not set, or empty.
const char* tap_variable(const char* name);

// The same of one that must be set.
const char* tap_needed(const char* name);

// Maps the page in the file at `path`.
struct tap_page* tap_map_page(const char* path);

// Lets the log of the call (tap.h) be on the device whose model `path` holds.
void tap_load_model(const char* path);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_SETUP_H_
