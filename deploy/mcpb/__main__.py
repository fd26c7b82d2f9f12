"""``python -m deploy.mcpb WHEEL FOLDER``: a wheel of Stet -> FOLDER/stet-VERSION.mcpb, for desktop assistants.

The bundle has no libraries: the assistant's own uv installs those that this machine needs, in the versions of
constraints.txt. The format: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
"""

import json
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from adapters import __version__

HERE = Path(__file__).resolve().parent
CONSTRAINTS = HERE.parents[1] / "constraints.txt"


def bundle(wheel: Path, folder: Path) -> Path:
    """Write the bundle of a wheel and return where it is."""
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8")) | {"version": __version__}
    path = folder / f"stet-{__version__}.mcpb"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(manifest, indent=2))
        archive.writestr("pyproject.toml", project(wheel.name))
        archive.write(HERE / "server.py", "server.py")
        archive.write(wheel, wheel.name)
    return path


def project(wheel: str) -> str:
    """Return the project file that uv installs from."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pins = [line.partition("#")[0].strip() for line in lines]
    return f"""[project]
name = "stet-bundle"
version = "{__version__}"
requires-python = ">=3.11"
dependencies = ["stet-newsroom[mcp]"]

[tool.uv]
package = false
constraint-dependencies = {json.dumps([pin for pin in pins if pin and not pin.startswith("pip==")])}

[tool.uv.sources]
stet-newsroom = {{ path = "{wheel}" }}
"""


if __name__ == "__main__":
    print(bundle(Path(sys.argv[1]), Path(sys.argv[2])))
