import KeyshareServer
import Synchronization

/// A mail server that keeps its messages, or refuses them.
final class RecordingMailSender: MailSender {
    private let state = Mutex<(messages: [MailMessage], isBroken: Bool)>(([], false))
    /// The address that is never delivered to.
    static let dead = "dead@example.org"

    var messages: [MailMessage] { state.withLock { $0.messages } }

    func breakDown(_ isBroken: Bool = true) { state.withLock { $0.isBroken = isBroken } }

    func send(_ message: MailMessage) async throws(KeyshareServerError) {
        try state.withLock { state throws(KeyshareServerError) in
            guard !state.isBroken, !message.recipients.contains(where: { $0.text == Self.dead }) else {
                throw KeyshareServerError(.mailNotSent, "no mail server, or no mailbox")
            }
            state.messages.append(message)
        }
    }
}
