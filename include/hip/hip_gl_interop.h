/* SPDX-License-Identifier: MIT */
/* OpenGL buffers and images as device memory. There is no graphics here: every function answers hipErrorNotSupported. */
#ifndef HIP_INCLUDE_HIP_HIP_GL_INTEROP_H
#define HIP_INCLUDE_HIP_HIP_GL_INTEROP_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_runtime_api.h>

#if !defined(__gl_h_) && !defined(__GL_H__) /* else GL's own types */
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif
typedef enum hipGLDeviceList {
  hipGLDeviceListAll = 1,          /* all devices that the context may use */
  hipGLDeviceListCurrentFrame = 2, /* those of the current frame */
  hipGLDeviceListNextFrame = 3     /* those of the next one */
} hipGLDeviceList;

#ifdef __cplusplus
extern "C" {
#endif
hipError_t hipGLGetDevices(unsigned int* pHipDeviceCount, int* pHipDevices, unsigned int hipDeviceCount,
                           hipGLDeviceList deviceList);
hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource** resource, GLuint buffer, unsigned int flags);
hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource** resource, GLuint image, GLenum target,
                                      unsigned int flags);
#ifdef __cplusplus
}
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
