// The frontend of a session at a server of another origin: states, pairing, and the end when the page is closed.

import { follow } from "/status.js";

const element = (id) => document.getElementById(id);
const waiting = [];
const states = [];

/** The states that were reported, each with the way in which it came. */
window.reported = () => states;

/** Waits for a state. */
window.reached = (wanted) =>
    new Promise((resolve) => {
        waiting.push({ wanted, resolve });
        wake();
    });

function wake() {
    for (const { wanted, resolve } of waiting) if (states.some(({ state }) => state === wanted)) resolve(states);
}

/** Calls an endpoint of the frontend; the answer is the status of HTTP and the body. */
window.call = async (path, method, authorization, body) => {
    const response = await fetch(path, {
        method,
        headers: { Authorization: authorization, ...(body && { "Content-Type": "application/json" }) },
        body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
};

/** Shows a session that the shop's backend has started, as its pointer and the frontend's authorization. */
window.begin = async (url, authorization, wantsPairing) => {
    const frontend = `${url}/frontend`;
    let code;
    if (wantsPairing) {
        const answer = await window.call(`${frontend}/options`, "POST", authorization, {
            "@context": "https://irma.app/ld/request/frontendoptions/v1",
            pairingMethod: "pin",
        });
        code = answer.body.pairingCode;
    }
    element("pairing").addEventListener("submit", (event) => {
        event.preventDefault();
        if (element("code").value === code) window.call(`${frontend}/pairingcompleted`, "POST", authorization);
        else element("fault").textContent = "another code";
    });
    const controller = new AbortController();
    let isOpen = true;
    addEventListener("pagehide", () => {
        controller.abort();
        if (isOpen) fetch(url, { method: "DELETE", keepalive: true });
    });
    const session = { status: `${frontend}/status`, events: `${frontend}/statusevents`, authorization };
    const report = (state, way) => {
        states.push({ state, way });
        element("state").textContent = state;
        element("pairing").hidden = state !== "PAIRING";
        wake();
    };
    follow(session, report, controller.signal).then(
        () => (isOpen = false),
        (fault) => states.push({ state: `fault: ${fault.message}`, way: "" })
    );
    return code ?? null;
};
window.isReady = true;
