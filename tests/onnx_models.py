"""Small ONNX models with known answers: the odds grow with the number of times the token `yes` is in the input."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ("[UNK]", "[CLS]", "[SEP]", "yes", "no", "the", "deposit", "is", "due", "may", "june", "</s>")


def write_model(path, *, inputs=("input_ids", "attention_mask"), outputs=3, fails_on=None):
    """Write a model: first output 10 × (share of `yes`) − 1, second −1, third 10 × (share of `no`) − 1.

    Where the input has the token `fails_on`, every output is NaN.
    """
    length = helper.make_tensor_value_info
    takes = [length(name, TensorProto.INT64, ["batch", "length"]) for name in inputs]
    nodes, logits = [], []
    for at, word in enumerate(("yes", None, "no")[:outputs]):
        token = WORDS.index(word) if word else -1
        nodes += [
            helper.make_node(
                "Constant", [], [f"t{at}"], value=helper.make_tensor(f"v{at}", TensorProto.INT64, [1], [token])
            ),
            helper.make_node("Equal", ["input_ids", f"t{at}"], [f"e{at}"]),
            helper.make_node("Cast", [f"e{at}"], [f"c{at}"], to=TensorProto.FLOAT),
            helper.make_node("ReduceMean", [f"c{at}"], [f"m{at}"], axes=[1], keepdims=1),
            helper.make_node("Mul", [f"m{at}", "ten"], [f"p{at}"]),
            helper.make_node("Sub", [f"p{at}", "bias"], [f"l{at}"]),
        ]
        logits.append(f"l{at}")
    bad = WORDS.index(fails_on) if fails_on else -1
    nodes += [
        helper.make_node("Concat", logits, ["sums"], axis=1),
        helper.make_node("Constant", [], ["bad"], value=helper.make_tensor("bad_token", TensorProto.INT64, [1], [bad])),
        helper.make_node("Equal", ["input_ids", "bad"], ["is_bad"]),
        helper.make_node("Cast", ["is_bad"], ["bad_share"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["bad_share"], ["any_bad"], axes=[1], keepdims=1),
        helper.make_node("Neg", ["any_bad"], ["below"]),
        helper.make_node("Sqrt", ["below"], ["nan_or_zero"]),
        helper.make_node("Add", ["sums", "nan_or_zero"], ["logits"]),
    ]
    constants = [
        onnx.numpy_helper.from_array(np.array([v], dtype=np.float32), name) for name, v in (("ten", 10), ("bias", 1))
    ]
    gives = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", outputs])]
    graph = helper.make_graph(nodes, "counting", takes, gives, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def write_full_range_model(path):
    """Write a model of eight bits whose one output is 2; where two products of full range are added in sixteen bits, it is −2."""
    wide, f32 = 64, TensorProto.FLOAT
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["ids"], to=f32),
        helper.make_node("ReduceMax", ["ids"], ["most"], axes=[1], keepdims=1),
        helper.make_node("Clip", ["most", "one", "one"], ["single"]),
        helper.make_node("MatMul", ["single", "ones"], ["row"]),
        helper.make_node("DynamicQuantizeLinear", ["row"], ["whole", "scale", "zero"]),
        helper.make_node("MatMulInteger", ["whole", "weights", "zero"], ["sum"]),
        helper.make_node("Cast", ["sum"], ["sums"], to=f32),
        helper.make_node("Mul", ["sums", "to_eight"], ["eight"]),
        helper.make_node("Sub", ["eight", "six"], ["logits"]),
    ]
    held = {"one": 1, "six": 6, "to_eight": 8 / (255 * 127 * wide), "ones": np.ones((1, wide))}
    constants = [onnx.numpy_helper.from_array(np.array(value, dtype=np.float32), name) for name, value in held.items()]
    constants.append(onnx.numpy_helper.from_array(np.full((wide, 1), 127, dtype=np.int8), "weights"))
    takes = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])]
    gives = [helper.make_tensor_value_info("logits", f32, ["batch", 1])]
    graph = helper.make_graph(nodes, "full range", takes, gives, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def write_tokenizer(path):
    """Write a word-level tokenizer with BERT's pair template."""
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.add_special_tokens(["[CLS]", "[SEP]", "</s>"])
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(path))


def write_folder(folder, *, outputs=3, inputs=("input_ids", "attention_mask"), fails_on=None, **manifest):
    """Write a model folder as a user would have it; give its path."""
    folder.mkdir(exist_ok=True)
    write_model(folder / "model.onnx", inputs=inputs, outputs=outputs, fails_on=fails_on)
    write_tokenizer(folder / "tokenizer.json")
    said = {"name": "counting", "outcomes": ["entailed", "neutral", "contradicted"], **manifest}
    (folder / "manifest.json").write_text(json.dumps(said))
    return folder
