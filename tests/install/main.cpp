#include <channels/settings.hpp>

#include <cstdio>

int main() {
  const auto settings = channels::settings::from_environment();
  std::printf("device %s, capacity %u\n", settings.device.c_str(), settings.capacity);
}
