// Textures, surfaces and arrays do not exist here. What a program with some does before it asks for one is no
// error.
#include "runners/emulator/hip/runtime.hpp"

CTS_HIP_API void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {}
CTS_HIP_API void __hipRegisterSurface(void**, void*, char*, char*, int, int) {}

CTS_HIP_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
