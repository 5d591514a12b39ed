import Dispatch
import Foundation

/// Runs a closure where the user presses Ctrl-C (SIGINT), instead of ending the process at once.
package final class Interruption {
    private let source: any DispatchSourceSignal

    /// Takes the signal over until ``end()``.
    package init(_ handler: @escaping @Sendable () -> Void) {
        // Without this the signal would still end the process.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
    }

    /// Gives the signal back to the system.
    package func end() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
