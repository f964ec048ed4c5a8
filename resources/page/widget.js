// The view of a notebook: the web page in a frame that has no access to the notebook, and messages between both.

export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = model.get("title");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = `display: block; width: 100%; height: ${model.get("height")}px; border: 0`;
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
    frame.srcdoc = model.get("page");
    el.append(frame);
    return () => {
      window.removeEventListener("message", receive);
      model.off("change:positions", send);
      model.off("change:selected_row", send);
    };
  },
};
