"use strict";
(async () => {
  const unpack = async (id) => {
    const element = document.getElementById(id);
    const text = element.textContent;
    element.remove();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const fail = (error) => {
    document.getElementById("loading").textContent = "This page cannot be shown: " + (error.message || error);
  };
  try {
    const [program, data] = await Promise.all([unpack("program"), unpack("data")]);
    const script = document.createElement("script");
    script.src = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
    script.onload = () => globalThis.showModel(data).catch(fail);
    script.onerror = () => fail("its program does not run in this browser");
    document.head.append(script);
  } catch (error) {
    fail(error);
  }
})();
