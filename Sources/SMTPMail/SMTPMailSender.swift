#if SMTP
import Dispatch
package import Foundation
package import KeyshareServer
import Synchronization

/// Hands e-mail over to a mail server by SMTP (RFC 5321), over libcurl.
///
/// Each message has a connection of its own, with STARTTLS and the account of the configuration.
package final class SMTPMailSender: MailSender {
    /// The largest number of messages that are sent at a time.
    private static let concurrentMessages = 8
    /// The largest number of messages that are sent or wait; further ones are refused.
    package static let maximumMessages = 256

    private let configuration: SMTPConfiguration
    private let now: @Sendable () -> Date
    private let queue: OperationQueue
    private let count = Mutex(0)

    /// A sender.
    ///
    /// - Parameters:
    ///   - configuration: The mail server.
    ///   - clock: Gives the time for the header `Date`.
    package init(_ configuration: SMTPConfiguration, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.configuration = configuration
        now = clock
        queue = OperationQueue()
        queue.name = "SMTP"
        queue.maxConcurrentOperationCount = Self.concurrentMessages
    }

    package func send(_ message: MailMessage) async throws(KeyshareServerError) {
        let bytes = message.encoded(at: now())
        try await perform { transfer throws(SMTPTransfer.Failure) in
            try transfer.send(bytes, from: message.sender.text, to: message.recipients.map(\.text))
        }
    }

    /// Connects to the mail server and logs in, as for a message.
    ///
    /// - Throws: `KeyshareServerError`: `mailNotSent`.
    package func check() async throws(KeyshareServerError) {
        try await perform { transfer throws(SMTPTransfer.Failure) in try transfer.check() }
    }

    /// Runs a transfer on a thread of its own, where libcurl may wait.
    private func perform(
        _ body: @escaping @Sendable (SMTPTransfer) throws(SMTPTransfer.Failure) -> Void
    ) async throws(KeyshareServerError) {
        let isTaken = count.withLock { count in
            guard count < Self.maximumMessages else { return false }
            count += 1
            return true
        }
        guard isTaken else {
            throw KeyshareServerError(.mailNotSent, "\(Self.maximumMessages) messages wait already")
        }
        defer { count.withLock { $0 -= 1 } }
        let configuration = configuration
        let failure = await withCheckedContinuation { continuation in
            queue.addOperation {
                do throws(SMTPTransfer.Failure) {
                    try body(SMTPTransfer(configuration))
                    continuation.resume(returning: SMTPTransfer.Failure?.none)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        if let failure { throw KeyshareServerError(.mailNotSent, failure.description) }
    }
}
#endif
