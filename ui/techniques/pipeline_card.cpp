#include "ui/techniques/pipeline_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr const char* shuffleKey = "data.pipeline.shuffle";
constexpr const char* bufferKey = "data.pipeline.shuffle.buffer_size";
constexpr const char* cacheKey = "data.pipeline.cache";
constexpr const char* placeKey = "data.pipeline.cache.where";
constexpr const char* autoKey = "data.pipeline.prefetch.auto";
constexpr const char* prefetchKey = "data.pipeline.prefetch";

}  // namespace

PipelineCard::PipelineCard(Document& document)
    : TechniqueCard(document, "data.pipeline.stages", {}) {
    m_shuffle = addCheck(shuffleKey, [](Config& c, bool on) { c.data.pipeline.shuffle = on; });
    m_buffer = addSpin(bufferKey, 0, 2147483647,
                       [](Config& c, int v) { c.data.pipeline.shuffle_buffer = v; });
    m_cache = addCheck(cacheKey, [](Config& c, bool on) { c.data.cache = on; });
    m_place = addChoice(placeKey, {"memory", "disk"}, [](Config& c, const std::string& v) {
        c.data.pipeline.cache_place =
            v == "disk" ? data::CachePlace::disk : data::CachePlace::memory;
    });
    m_auto = addCheck(autoKey, [](Config& c, bool on) {
        c.data.pipeline.autotune = on;
        // It begins with some.
        if (on && c.data.pipeline.prefetch == 0)
            c.data.pipeline.prefetch = data::PipelineOptions{}.prefetch;
    });
    m_prefetch =
        addSpin(prefetchKey, 0, 4096, [](Config& c, int v) { c.data.pipeline.prefetch = v; });
    finish();
}

void PipelineCard::retranslate() {
    TechniqueCard::retranslate();
    setText(shuffleKey, tr("shuffle"), tr("Another order in each epoch, made from the seed"));
    setText(bufferKey, tr("shuffle buffer"),
            tr("Samples among which the next one is drawn; 0 for all of them"));
    m_buffer->setSpecialValueText(tr("all samples"));
    setText(cacheKey, tr("keep the data"), tr("Read the files once, not in each epoch"));
    setText(placeKey, tr("kept in"), tr("Where the samples stay after they were read once"));
    m_place->setItemText(0, tr("memory"));
    m_place->setItemText(1, tr("disk"));
    setText(autoKey, tr("read ahead by need"),
            tr("Finds how many batches to have ready, within a bound of memory"));
    setText(prefetchKey, tr("read ahead"),
            tr("Batches made ready while the model computes; 0 for none"));
}

void PipelineCard::showOptions(const train::RunConfig& config) {
    const data::PipelineOptions& pipeline = config.data.pipeline;
    showCheck(m_shuffle, pipeline.shuffle);
    showSpin(m_buffer, pipeline.shuffle_buffer);
    showCheck(m_cache, config.data.cache);
    showChoice(m_place, pipeline.cache_place == data::CachePlace::disk ? "disk" : "memory");
    showCheck(m_auto, pipeline.autotune);
    showSpin(m_prefetch, pipeline.prefetch);
    setOptionVisible(bufferKey, pipeline.shuffle);
    setOptionVisible(placeKey, config.data.cache);
    setOptionVisible(prefetchKey, !pipeline.autotune);
}

QString PipelineCard::effect() const {
    const auto& epoch = prediction().epoch;
    if (!epoch) return {};
    return tr("%1 samples in %2 batches an epoch")
        .arg(formatCount(epoch->samples), formatCount(epoch->batches));
}

}  // namespace strata::ui
