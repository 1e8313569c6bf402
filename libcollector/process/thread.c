/* SPDX-License-Identifier: Apache-2.0 */
/* The calling thread's state. */
#include "thread.h"

__thread struct thread *current_thread __attribute__((tls_model("initial-exec")));
