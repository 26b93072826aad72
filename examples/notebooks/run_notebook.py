"""Runs the code cells of notebooks with nothing but Python: to check them, or (--write) to keep their outputs in them."""
import argparse
import ast
import contextlib
import io
import json
import os
import sys
import tempfile
import traceback
import warnings


def displayed(value):
    """What a notebook would show of a cell's last value."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    page = getattr(value, "_repr_html_", lambda: None)()
    if page is not None:
        data["text/html"] = page.splitlines(keepends=True)
    return data


def run_cell(source, number, names):
    """The outputs of one cell, as a notebook keeps them."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, outputs = io.StringIO(), []
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names) if last else None
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {},
                        "data": displayed(value)})
    return outputs


def run(path, write):
    """Runs a notebook in an empty folder; what a cell raises is raised."""
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names, number = {"__name__": "__main__"}, 0
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] != "code":
                    continue
                number += 1
                outputs = run_cell("".join(cell["source"]), number, names)
                cell["execution_count"], cell["outputs"] = number, outputs
        finally:
            os.chdir(home)
    if write:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="+")
    parser.add_argument("--write", action="store_true", help="keep the outputs in the notebooks")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for path in given.notebooks:
        try:
            print(f"{os.path.basename(path)}: {run(path, given.write)} cells")
        except BaseException:
            traceback.print_exc()
            sys.exit(f"{path}: a cell failed")


if __name__ == "__main__":
    main()
