package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"qhsh/engine/enginetest/golden"
)

// noteRunner runs the cells of a notebook as Jupyter does, and writes the notebook with what they say.
const noteRunner = `
import ast, asyncio, contextlib, io, json, sys

async def run(cells):
    scope, number = {}, 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        number += 1
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        said, value = io.StringIO(), None
        with contextlib.redirect_stdout(said):
            for part in filter(None, [ast.Module(body, []), last and ast.Expression(last.value)]):
                mode = "eval" if isinstance(part, ast.Expression) else "exec"
                value = eval(compile(part, "cell", mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), scope)
                if asyncio.iscoroutine(value):
                    value = await value
        outputs = []
        if said.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": said.getvalue().splitlines(True)})
        if value is not None:
            text = f"<{type(value).__name__}>" if hasattr(value, "_repr_svg_") else repr(value)
            data = {"text/plain": [text]}
            if hasattr(value, "_repr_svg_"):
                data["image/svg+xml"] = value._repr_svg_().splitlines(True)
            outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
        cell.update(execution_count=number, outputs=outputs)

note = json.load(open("notebook.ipynb", encoding="utf-8"))
asyncio.run(run(note["cells"]))
sys.stdout.buffer.write((json.dumps(note, indent=1, ensure_ascii=False) + "\n").encode())
`

// noted runs the cells of a notebook: they must say what is below them. Where there is Jupyter, it must run them, too.
func noted(t *testing.T, qhsh, file string) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	for _, name := range []string{file, "qhsh.py", "games.pgn"} {
		data, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	in := func(program string, args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "QHSH="+qhsh, "PYTHONPATH="+folder)
		return cmd
	}
	golden.Compare(t, file, runOn(t, "", in("python3", "-B", "-c", noteRunner)))
	if jupyter, err := exec.LookPath("jupyter"); err != nil {
		t.Log(err)
	} else if out, err := in(jupyter, "nbconvert", "--to", "notebook", "--execute", "--output", "run", file).CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}
