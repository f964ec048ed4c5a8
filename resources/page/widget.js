// The view of a notebook: the web page in a frame that has no access to the notebook, and messages between both.
// The frame is the output before the widget; where there is none, as inside of another widget, the widget makes it.

/** Returns the frame with a key that no other view has joined, null where there is none. */
function frameOf(key) {
  const frame = document.querySelector(`iframe[data-sdfviewer="${key}"]:not([data-joined])`);
  frame?.setAttribute("data-joined", "");
  return frame;
}

function makeFrame(model) {
  const frame = document.createElement("iframe");
  frame.title = model.get("title");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = `display: block; width: 100%; height: ${model.get("height")}px; border: 0`;
  return frame;
}

export default {
  render({ model, el }) {
    const shown = frameOf(model.get("key"));
    const frame = shown ?? makeFrame(model);
    let isReceiving = false; // what the page says must not come back to it when it has gone on
    const send = () => {
      if (isReceiving) return;
      const state = { q: model.get("positions"), selected: model.get("selected_row") };
      frame.contentWindow?.postMessage({ sdfviewer: state }, "*");
    };
    const receive = ({ source, data }) => {
      if (source !== frame.contentWindow || !data?.sdfviewer) return;
      const { isReady, q, selected } = data.sdfviewer;
      if (isReady) return send();
      isReceiving = true;
      model.set("positions", q);
      model.set("selected_row", selected);
      model.save_changes();
      isReceiving = false;
    };
    window.addEventListener("message", receive);
    model.on("change:positions", send);
    model.on("change:selected_row", send);
    if (shown) send(); // it may have been ready before
    else {
      frame.srcdoc = model.get("page");
      el.append(frame);
    }
    return () => {
      frame.removeAttribute("data-joined");
      window.removeEventListener("message", receive);
      model.off("change:positions", send);
      model.off("change:selected_row", send);
    };
  },
};
