#ifndef WALTAX_DEVICES_TAP_HOOKS_H_
#define WALTAX_DEVICES_TAP_HOOKS_H_

// Everything else in the library is hidden, so that it interposes nothing by
// accident.
#define HOOK __attribute__((visibility("default")))

#endif  // WALTAX_DEVICES_TAP_HOOKS_H_
