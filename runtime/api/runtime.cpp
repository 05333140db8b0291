#include "channels/runtime.hpp"

#include <utility>  // move, swap

#include <nlohmann/json.hpp>  // ordered_json

#include "runtime/aggregator/channel_table.hpp"
#include "runtime/api/engine.hpp"
#include "runtime/observe/memory_reserve.hpp"
#include "runtime/observe/run_document.hpp"
#include "runtime/settings/environment.hpp"

namespace channels {

std::size_t detail::minimum_memory(const graph_model& model, const settings& options,
                                   std::uint32_t levels) {
  return minimum_bytes(model, options, levels);
}

runtime::runtime(settings options) {
  if (options.home.chosen) options.aggregator = *options.home.chosen;
  options.check();
  detail::check_files(options);
  engine_ = std::make_shared<detail::engine>(std::move(options));
  engine_->start_thread();
}

runtime& runtime::operator=(runtime&& other) noexcept {
  std::swap(engine_, other.engine_);
  return *this;
}

runtime::~runtime() {
  if (engine_) engine_->close();
}

const settings& runtime::options() const { return engine_->options(); }
std::uint32_t runtime::compute_units() const { return engine_->compute_units(); }
detail::device& runtime::on() const { return engine_->on(); }
const statistics& runtime::last_run() const { return engine_->last_run(); }
std::string runtime::json() const {
  const detail::memory_reserve reserve;
  nlohmann::ordered_json document = detail::document_of_process(options());
  detail::add_to_document(document, last_run());
  return detail::text_of(document);
}
void runtime::start(std::shared_ptr<detail::graph_model> model,
                    std::shared_ptr<const scheduling_policy> policy) {
  engine_->start(std::move(model), std::move(policy));
}
bool runtime::wait(std::chrono::nanoseconds deadline) { return engine_->wait(deadline); }
void runtime::stop() { engine_->stop(); }
std::string runtime::dot(const detail::graph_model& model) const { return engine_->dot(model); }

}  // namespace channels
