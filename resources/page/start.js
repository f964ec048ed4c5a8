"use strict";
(async () => {
  const decode = (text) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
    return bytes;
  };
  const unpack = (id) => {
    const element = document.getElementById(id);
    const bytes = decode(element.textContent);
    element.remove();
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const run = (program) =>
    new Promise((done, refuse) => {
      const script = document.createElement("script");
      script.src = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
      script.onload = done;
      script.onerror = () => refuse("its program does not run in this browser");
      document.head.append(script);
    });
  try {
    const program = unpack("program").then(run);
    const [data] = await Promise.all([unpack("data"), program]);
    await globalThis.showModel(data);
  } catch (error) {
    const notice = document.getElementById("loading") ?? document.body;
    notice.textContent = "This page cannot be shown: " + (error.message || error);
  }
})();
