// Where foreign programs are counted: each process has a page of its own, made
// when it first opens a log, since their lock is a process's and many processes
// never log. They share the emulated device, which has a page of its own.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_PAGES_H_
#define WALTAX_DEVICES_PRELOAD_TAP_PAGES_H_

#include "tap.h"

// Sets `tap` up to make pages in `folder`; until then it counts in private.
void tap_pages_start(const char* folder);

// Makes this process's page, if it has none. Call it under the lock of files.c.
void tap_pages_need(void);

// In a new child: leaves the parent's page. One that inherits files of a log
// must make its own.
void tap_pages_leave(void);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_PAGES_H_
