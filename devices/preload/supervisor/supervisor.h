// How a supervised program is answered when it asks for a sync. One of a log is
// carried out, or answered by the emulated device or at once, and counted as
// the tap counts (../tap/page.h). The kernel carries out all others.
//
// Some calls go around this. Each counts as a `bypass` and leaves its reason in
// `refused` of the page, though it ends nothing here: io_uring, a sync() of
// everything, an msync(), a 32-bit program, a file that the supervisor may not
// look at, and an emulated log that is not in memory. Writes that are syncs
// (O_DSYNC, RWF_SYNC) and syncs by libaio are not seen at all.
#ifndef WALTAX_DEVICES_PRELOAD_SUPERVISOR_SUPERVISOR_H_
#define WALTAX_DEVICES_PRELOAD_SUPERVISOR_SUPERVISOR_H_

#include <linux/audit.h>
#include <linux/seccomp.h>

#ifdef __x86_64__
#define SUPERVISOR_MACHINE AUDIT_ARCH_X86_64
#else
#define SUPERVISOR_MACHINE AUDIT_ARCH_AARCH64
#endif

// The answer to a call. Waits as long as its sync takes.
struct seccomp_notif_resp supervisor_answer(const struct seccomp_notif* call);

#endif  // WALTAX_DEVICES_PRELOAD_SUPERVISOR_SUPERVISOR_H_
