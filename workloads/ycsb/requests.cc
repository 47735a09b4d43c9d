#include "workloads/ycsb/requests.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "driver/scatter.h"

namespace waltax::ycsb {

namespace {

// The original's: it leaves room for records to come, and draws again what is
// not there yet.
Chooser PublishedZipf(const Options& options) {
  const DataOptions& data = options.data;
  const ScrambledZipf ranks(data.insertcount +
                            options.requests.ExpectedNewKeys() + 1);
  return [ranks, first = data.insertstart, end = data.end(),
          inserted = data.recordcount](Random& random, uint64_t newest) {
    while (true) {
      const uint64_t number = first + ranks.Draw(random);
      if (number < end || (number >= inserted && number <= newest)) {
        return number;
      }
    }
  };
}

// Both count back from the newest.
Chooser Latest(uint64_t records) {
  return [zipf = GrowingZipf(std::max<uint64_t>(1, records - 1))](
             Random& random, uint64_t newest) mutable {
    return newest -
           zipf.Quantile(random.NextDouble(), std::max<uint64_t>(1, newest));
  };
}
Chooser BackByAn(const Exponential& exponential) {
  return [exponential](Random& random, uint64_t newest) {
    while (true) {
      const double behind = exponential.Draw(random);
      if (behind <= static_cast<double>(newest)) {
        return newest - static_cast<uint64_t>(behind);
      }
    }
  };
}

Op DrawOp(const RequestOptions& requests, Random& random) {
  double rest = random.NextDouble();
  size_t last = 0;
  for (size_t i = 0; i < kOps; ++i) {
    if (requests.proportions[i] == 0) continue;
    if (rest < requests.proportions[i]) return static_cast<Op>(i);
    rest -= requests.proportions[i];
    last = i;
  }
  return static_cast<Op>(last);  // the shares add up to a hair less than 1
}

// An operation that is drawn at times, so that there is a rule about it.
bool IsOneOfSeveral(double share) { return share > 0 && share < 1; }

// The band is as wide as those of TPC-C.
InputRule RuleOf(std::string_view name, double mean, double variance) {
  constexpr double kBand = .05;
  return {name, mean, variance, mean * (1 - kBand), mean * (1 + kBand)};
}

constexpr std::array<std::string_view, kOps> kShareRules = {
    "READ share", "UPDATE share", "INSERT share", "SCAN share",
    "READ-MODIFY-WRITE share"};

}  // namespace

Chooser NewChooser(const Options& options) {
  const RequestOptions& requests = options.requests;
  const std::string& name = requests.requestdistribution;
  const uint64_t records = options.data.insertcount;
  const uint64_t first = options.data.insertstart;
  if (name == "latest") return Latest(options.data.recordcount);
  if (name == "exponential") {
    return BackByAn({requests.exponential_percentile,
                     static_cast<double>(options.data.recordcount) *
                         requests.exponential_frac});
  }
  if (name == "hotspot") {
    const Hotspot hot(records, requests.hotspotdatafraction,
                      requests.hotspotopnfraction);
    return [first, hot](Random& random, uint64_t /*newest*/) {
      return first + hot.Draw(random);
    };
  }
  if (name == "zipfian" && requests.zipf == "exact") {
    // The hottest are spread over the table also where keys are ordered.
    return [first, ranks = ExactZipf(records, requests.zipf_constant),
            scatter = Scatter(records)](Random& random, uint64_t /*newest*/) {
      return first + scatter.Place(ranks.Draw(random));
    };
  }
  if (name == "zipfian") return PublishedZipf(options);
  return [first, records](Random& random, uint64_t /*newest*/) {
    return first + random.NextInt(records);
  };
}

RequestModel::RequestModel(const Options& options)
    : options(options),
      records(options.data),
      keys(options.data.keys()),
      // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it moves in
      chooser(NewChooser(options)),
      scan_lengths(options.requests.minscanlength,
                   options.requests.maxscanlength,
                   options.requests.scanlengthdistribution == "zipfian") {}

std::vector<InputRule> RequestModel::InputRules() const {
  std::vector<InputRule> rules;
  for (size_t i = 0; i < kOps; ++i) {
    const double share = options.requests.proportions[i];
    if (!IsOneOfSeveral(share)) continue;
    rules.push_back(RuleOf(kShareRules[i], share, share * (1 - share)));
  }
  if (options.requests.share(Op::kScan) > 0) {
    rules.push_back(RuleOf("records asked for per scan", scan_lengths.Mean(),
                           scan_lengths.Variance()));
  }
  return rules;
}

RequestStream::RequestStream(std::shared_ptr<const RequestModel> model,
                             int index, uint64_t seed)
    : model_(std::move(model)),
      random_(seed, static_cast<uint64_t>(index)),
      chooser_(model_->chooser) {}

Field RequestStream::DrawField(bool all) {
  if (all) return std::nullopt;
  return static_cast<uint32_t>(random_.NextInt(model_->records.fields()));
}

void RequestStream::DrawValues(Field field, Values* values) {
  if (model_->options.data.checkable()) {
    values->field = field;
  } else {
    model_->records.Draw(random_, field, values);
  }
}

void RequestStream::Draw(uint64_t newest, DrawnRequest* request) {
  const RequestOptions& requests = model_->options.requests;
  request->op = DrawOp(requests, random_);
  ++drawn_[static_cast<size_t>(request->op)];
  request->number.reset();
  if (request->op != Op::kInsert &&
      requests.requestdistribution != "sequential") {
    request->number = chooser_(random_, newest);
  }
  if (request->op == Op::kScan) {
    const uint64_t length = model_->scan_lengths.Draw(random_);
    request->scan_length = static_cast<uint32_t>(length);
    scanned_ += length;
  }
  request->field = DrawField(requests.readallfields);
  request->blind = requests.blind && request->op == Op::kUpdate;
  if (Writes(request->op)) {
    const bool all = request->op == Op::kInsert || requests.writeallfields;
    DrawValues(DrawField(all), &request->values);
  }
  if (request->number) Name(request);
}

void RequestStream::Name(DrawnRequest* request) const {
  model_->keys.Write(request->number.value_or(0), &request->key);
  if (Writes(request->op) && model_->options.data.checkable()) {
    model_->records.Compute(request->key, request->values.field,
                            &request->values);
  }
}

void RequestStream::TakeInputs(std::vector<InputCount>* counts) {
  const uint64_t samples =
      std::accumulate(drawn_.begin(), drawn_.end(), uint64_t{0});
  const uint64_t scans = drawn_[static_cast<size_t>(Op::kScan)];
  size_t rule = 0;
  for (size_t i = 0; i < kOps; ++i) {
    if (!IsOneOfSeveral(model_->options.requests.proportions[i])) continue;
    (*counts)[rule].samples += samples;
    (*counts)[rule++].sum += drawn_[i];
  }
  if (model_->options.requests.share(Op::kScan) > 0) {
    (*counts)[rule].samples += scans;
    (*counts)[rule].sum += scanned_;
  }
  drawn_ = {};
  scanned_ = 0;
}

}  // namespace waltax::ycsb
