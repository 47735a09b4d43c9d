// A thread that uses CPU time beside the callers of sync, as the kernel's
// workers do on a real device.
#ifndef WALTAX_DEVICES_TAP_HELPER_H_
#define WALTAX_DEVICES_TAP_HELPER_H_

#include <stdint.h>

// Has the helper burn `ns` of CPU time; returns at once, a ticket to wait with.
// The first call starts the thread.
uint64_t tap_helper_burn(uint64_t ns);

// Waits until the work of that ticket, and what came before it, is done.
void tap_helper_wait(uint64_t ticket);

#endif  // WALTAX_DEVICES_TAP_HELPER_H_
