#ifndef WALTAX_DEVICES_TAP_HOOKS_H_
#define WALTAX_DEVICES_TAP_HOOKS_H_

// Everything else in the library is hidden, so that it interposes nothing by
// accident.
#define HOOK __attribute__((visibility("default")))

// In place of an offset: the call is made where the file's position is.
enum { kAtPosition = -1 };

#endif  // WALTAX_DEVICES_TAP_HOOKS_H_
