"""What the official guide tries first: the order of its table, and that a wrong file is refused with every fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportgen import resources
from reportgen.errors import CatalogueError
from reportgen.remedies import FILE_NAME, read_remedies

TEXT = (resources.evidence_dir() / FILE_NAME).read_text(encoding="utf-8")
# the table "按瓶颈选择优化方向" of the guide, and section 4.8 of the course
ORDER = {
    "computing": ["模型专用融合", "Flash Attention", "Fused RMSNorm/RoPE", "MoE GroupedMatMul"],
    "memory": ["ChunkLoss", "CP/EP/EP 内 FSDP", "激活重计算", "异步激活卸载", "Swap Optimizer"],
    "communication": ["FSDP 前向/反向预取", "fused dispatcher", "EP MC2", "检查并行组与拓扑"],
    "host": ["任务队列（TASK_QUEUE_ENABLE=2）", "CPU 绑核（CPU_AFFINITY_CONF）"],
}
NOT_FIRST = {
    "computing": "未确认热点算子就增加切分或卸载",
    "memory": "未区分显存来源就启用 offload 或 swap",
    "communication": "只调整并行度，不检查专家负载和通信重叠",
    "host": "通过 offload 引入更多 Host/Device 拷贝和调度",
}


def test_the_order_is_that_of_the_guide() -> None:
    kinds = read_remedies().remedies.kinds
    assert {kind.kind: [dict(one)["zh"] for one in kind.first] for kind in kinds} == ORDER
    assert [kind.kind for kind in kinds] == list(ORDER)
    assert {kind.kind: dict(kind.not_first)["zh"] for kind in kinds} == NOT_FIRST
    assert {kind.kind for kind in kinds if kind.beside} == {"host"}


def test_every_text_stands_in_both_languages() -> None:
    found = read_remedies().remedies
    texts = [found.scope, found.caveat, found.outside]
    texts += [text for kind in found.kinds for text in (kind.symptom, kind.not_first, *kind.first)]
    for text in texts:
        assert [language for language, _ in text] == ["zh", "en"]
        assert all(words.strip() for _, words in text)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('id = "memory"', 'id = "host"', "'memory' is missing"),
        ('id = "memory"', 'id = "host"', "'host' stands 2 times"),
        ('id = "serving"', 'id = "data_lost"', "'data_lost' stands 2 times"),
        ("schema = 1", "schema = 2", "schema: must be 1; found 2"),
        ("schema = 1", "schema = 1\nmore = 1", "more: unknown key"),
        (', en = "EP MC2"', "", "kind[2].first[2].en"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in TEXT
    (tmp_path / FILE_NAME).write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        read_remedies(tmp_path)
    assert caught.value.code == "evidence_invalid"
    assert fault in caught.value.message


@pytest.mark.parametrize(("text", "code"), [(None, "evidence_unreadable"), ("schema = ", "evidence_syntax")])
def test_no_file_or_no_toml(tmp_path: Path, text: str | None, code: str) -> None:
    if text is not None:
        (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        read_remedies(tmp_path)
    assert caught.value.code == code
