// The state of a transaction or session: by server-sent events, and by polling where there are none.
//
// The stream is read with fetch and not with EventSource, which cannot send the header Authorization.

const finalStates = new Set([
    "verified", "failed", "declined", "expired", "cancelled", // OpenID4VP
    "DONE", "CANCELLED", "TIMEOUT", // IRMA
]);

/** The time in milliseconds that a stream has to begin. */
const streamPatience = 2000;
/** The pause between two polls, in milliseconds. */
const pollPause = 500;

export const isFinal = (state) => finalStates.has(state);

/**
 * Reports each new state, until a final one.
 *
 * @param session An object with the URLs `status` and `events`, and `authorization` or nothing.
 * @param report Called with a state, and with "events" or "polling".
 * @param signal Ends the work.
 * @returns The final state.
 */
export async function follow(session, report, signal) {
    const headers = session.authorization ? { Authorization: session.authorization } : {};
    let known;
    const tell = (state, way) => {
        if (state !== known) report(known = state, way);
        return isFinal(state);
    };
    try {
        for await (const state of streamedStates(session, headers, signal)) if (tell(state, "events")) return state;
    } catch (error) {
        if (signal.aborted) throw error;
    }
    for (;;) {
        const state = await currentState(session, headers, signal);
        if (tell(state, "polling")) return state;
        await new Promise((resolve) => setTimeout(resolve, pollPause));
    }
}

/** The state, with one more attempt after a failure. */
async function currentState(session, headers, signal) {
    const ask = async () => {
        const response = await fetch(session.status, { headers, signal, cache: "no-store" });
        if (!response.ok) throw new Error(`the state is not there: ${response.status}`);
        return (await response.json()).status;
    };
    return ask().catch((error) => {
        if (signal.aborted) throw error;
        return ask();
    });
}

/** The current state, and those that a stream tells. */
async function* streamedStates(session, headers, signal) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), streamPatience);
    let response;
    try {
        response = await fetch(session.events, {
            headers: { ...headers, Accept: "text/event-stream" },
            signal: AbortSignal.any([signal, late.signal]),
            cache: "no-store",
        });
    } finally {
        clearTimeout(timer);
    }
    if (!response.ok || !response.body) throw new Error(`no events: ${response.status}`);
    // A stream of IRMA tells changes alone, so the state is asked for once the stream is there.
    yield await currentState(session, headers, signal);
    for await (const data of eventData(response.body)) yield JSON.parse(data).status;
}

/** The data of the events of a stream (WHATWG HTML, section 9.2.6). */
export async function* eventData(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let data = [];
    try {
        for (;;) {
            const { value, done } = await reader.read();
            if (done) return;
            const lines = (rest + value).split(/\r\n|\n/);
            rest = lines.pop();
            for (const line of lines) {
                if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
                if (line !== "") continue;
                if (data.length > 0) yield data.join("\n");
                data = [];
            }
        }
    } finally {
        await reader.cancel().catch(() => {});
    }
}
