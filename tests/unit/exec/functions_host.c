// SPDX-License-Identifier: MIT
// Host side of functions.def.
#include "programs.h"
#define F(name, R, A, expression)                                                                                      \
  R host_##name(A a, A b, A c) { return expression; }
#include "functions.def"
