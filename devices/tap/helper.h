// A thread that uses CPU time beside the callers of sync, as the kernel's
// workers do on a real device.
#ifndef WALTAX_DEVICES_TAP_HELPER_H_
#define WALTAX_DEVICES_TAP_HELPER_H_

#include <stdint.h>

// Has the helper burn `ns` of CPU time; returns at once. The first call starts
// the thread.
void tap_helper_burn(uint64_t ns);

#endif  // WALTAX_DEVICES_TAP_HELPER_H_
