// Shows a recording again as it happened: the part of its pictures and events up to a moment that moves on.
import {at} from "./page.js";

const TICK_MS = 100;

export class Replay {
  #draw;
  #timer = null;
  #from = 0;
  #to = 0;
  time = 0;

  // `draw` is called whenever the moment has changed.
  constructor(draw) {
    this.#draw = draw;
    at("play").addEventListener("click", () => this.#toggle());
    at("moment").addEventListener("input", () => {
      this.time = this.#from + (this.#to - this.#from) * Number(at("moment").value) / Number(at("moment").max);
      this.#draw();
    });
  }

  // Begins with all of it, as it was saved.
  open(recording) {
    this.#from = recording.pictures.writes.from;
    this.#to = recording.pictures.writes.to;
    this.#show(this.#to);
    at("replay").hidden = false;
  }
  close() {
    this.#stop();
    at("replay").hidden = true;
  }

  picture(recording, metric) {
    const picture = recording.pictures[metric];
    return {...picture, columns: picture.columns.filter((column) => column.start < this.time)};
  }
  events(recording) {
    return recording.events.filter((event) => event.time <= this.time);
  }

  #show(time) {
    this.time = Math.min(time, this.#to);
    at("moment").value = Math.round(Number(at("moment").max) * (this.time - this.#from) / Math.max(1, this.#to - this.#from));
  }
  #toggle() {
    if (this.#timer) return this.#stop();
    if (this.time >= this.#to) this.#show(this.#from);
    at("play").textContent = "Hold";
    this.#timer = setInterval(() => {
      this.#show(this.time + TICK_MS * Number(at("speed").value));
      if (this.time >= this.#to) this.#stop();
      this.#draw();
    }, TICK_MS);
    this.#draw();
  }
  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    at("play").textContent = "Play";
  }
}
