#ifndef WALTAX_DEVICES_PRELOAD_HOOK_H_
#define WALTAX_DEVICES_PRELOAD_HOOK_H_

// What the tap and the recorder are both made of: libraries that are preloaded.
// Everything else in such a library is hidden, so that it interposes nothing by
// accident.
#define HOOK __attribute__((visibility("default")))

// In place of an offset: the call is made where the file's position is.
enum { kAtPosition = -1 };

#endif  // WALTAX_DEVICES_PRELOAD_HOOK_H_
