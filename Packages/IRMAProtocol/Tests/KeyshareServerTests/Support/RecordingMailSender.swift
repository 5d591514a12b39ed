import KeyshareServer
import Synchronization

/// A mail server that keeps its messages, or refuses them.
final class RecordingMailSender: MailSender {
    private let state = Mutex<(messages: [MailMessage], isBroken: Bool)>(([], false))

    var messages: [MailMessage] { state.withLock { $0.messages } }

    func breakDown(_ isBroken: Bool = true) { state.withLock { $0.isBroken = isBroken } }

    func send(_ message: MailMessage) async throws(KeyshareServerError) {
        try state.withLock { state throws(KeyshareServerError) in
            guard !state.isBroken else { throw KeyshareServerError(.mailNotSent, "no mail server") }
            state.messages.append(message)
        }
    }
}
