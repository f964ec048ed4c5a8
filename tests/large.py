"""Files that are too large to keep: chains of links and worlds of models, as large as one likes.

usage: python -m tests.large chain|models|shapes COUNT
"""

from __future__ import annotations

import sys


def chain_of_links(count: int) -> str:
    """Return a model of links in a chain, each with a joint to the one before and a frame that the next leans on."""
    parts = ['<sdf version="1.9"><model name="chain">']
    for n in range(count):
        relative_to = f' relative_to="frame_{n - 1}"' if n else ""
        parts.append(f'<link name="link_{n}"><pose{relative_to}>0 0 0.1 0 0 0.01</pose></link>')
        if n:
            parts.append(
                f'<joint name="joint_{n}" type="revolute"><parent>link_{n - 1}</parent><child>link_{n}</child>'
                "<axis><xyz>0 0 1</xyz></axis></joint>"
            )
        parts.append(f'<frame name="frame_{n}" attached_to="link_{n}"><pose>0 0 0.1 0 0 0</pose></frame>')
    return "\n".join([*parts, "</model></sdf>\n"])


def world_of_models(count: int) -> str:
    """Return a world of models side by side, twelve elements each."""
    parts = ['<sdf version="1.9"><world name="flat">']
    for n in range(count):
        parts.append(
            f'<model name="model_{n}"><pose>{n % 50} {n // 50} 0.5 0 0 {n / 1000:.3f}</pose>'
            '<link name="link"><inertial><mass>1.5</mass></inertial>'
            '<visual name="visual"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></visual>'
            '<collision name="collision"><geometry><plane/></geometry></collision></link></model>'
        )
    return "\n".join([*parts, "</world></sdf>\n"])


#: The shapes of a world of shapes, each with its size.
_SHAPES = (
    "<box><size>1 1 1</size></box>",
    "<cylinder><radius>0.5</radius><length>1</length></cylinder>",
    "<sphere><radius>0.5</radius></sphere>",
    "<capsule><radius>0.2</radius><length>0.6</length></capsule>",
    "<ellipsoid><radii>0.2 0.3 0.5</radii></ellipsoid>",
)


def world_of_shapes(count: int) -> str:
    """Return a world of models of five shapes, laid out in rows, a sun and a ground, with a line for each element."""
    parts = [
        '<?xml version="1.0"?>\n<sdf version="1.9">\n  <world name="shapes">',
        '    <light type="directional" name="sun">\n      <pose>0 0 10 0 0 0</pose>\n'
        "      <cast_shadows>true</cast_shadows>\n      <direction>-0.5 0.1 -0.9</direction>\n    </light>",
        '    <model name="ground_plane">\n      <static>true</static>\n      <link name="link">\n'
        '        <visual name="visual">\n          <geometry><plane><size>100 100</size></plane></geometry>\n'
        "        </visual>\n      </link>\n    </model>",
    ]
    for n in range(count):
        shape = _SHAPES[n % len(_SHAPES)]
        kind = shape[1 : shape.index(">")]
        red, green, blue = n % 7 / 7, n % 11 / 11, n % 13 / 13
        color = f"{red:.2f} {green:.2f} {blue:.2f} 1"
        parts.append(
            f"""    <model name="{kind}_{n}">
      <pose>{n % 60 * 2 - 60} {n // 60 * 2 - 50} 0.5 0 0 {n / 1000:.3f}</pose>
      <link name="{kind}_link">
        <inertial>
          <mass>1</mass>
          <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>
        </inertial>
        <collision name="{kind}_collision">
          <geometry>{shape}</geometry>
        </collision>
        <visual name="{kind}_visual">
          <geometry>{shape}</geometry>
          <material>
            <ambient>{color}</ambient>
            <diffuse>{color}</diffuse>
          </material>
        </visual>
      </link>
    </model>"""
        )
    return "\n".join([*parts, "  </world>\n</sdf>\n"])


if __name__ == "__main__":
    makers = {"chain": chain_of_links, "models": world_of_models, "shapes": world_of_shapes}
    sys.stdout.write(makers[sys.argv[1]](int(sys.argv[2])))
