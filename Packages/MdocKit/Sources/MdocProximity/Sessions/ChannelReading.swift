import MdocKit

/// Passes every message of a channel on until it is closed or fails, and then the reason.
func forEachMessage(
    of transport: any MdocTransport,
    _ handle: ([UInt8]) async -> Void,
    failed: (String) async -> Void
) async {
    do throws(MdocError) {
        while let message = try await transport.receive() { await handle(message) }
        await failed("the other side closed the channel")
    } catch {
        await failed("\(error)")
    }
}
