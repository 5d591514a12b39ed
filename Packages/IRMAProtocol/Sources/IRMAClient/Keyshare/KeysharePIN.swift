public import IRMAMessages
import Synchronization

/// The wallet's question for a PIN, which the app puts to its user.
public struct KeysharePINPrompt: Hashable, Sendable {
    /// The scheme whose keyshare server wants the PIN.
    public var scheme: SchemeIdentifier
    /// The attempts that are left after a wrong PIN; `nil` for the first question, and where the server gives no number.
    public var remainingAttempts: Int?
    /// Indicates that the last PIN was wrong.
    public var isRepeated: Bool

    /// Describes a question.
    public init(scheme: SchemeIdentifier, remainingAttempts: Int? = nil, isRepeated: Bool = false) {
        self.scheme = scheme
        self.remainingAttempts = remainingAttempts
        self.isRepeated = isRepeated
    }
}

/// Asks the user for a PIN; `nil` if the user declines.
public typealias KeysharePINHandler = @Sendable (KeysharePINPrompt) async -> String?

/// An enrolment that ends with the issuance of the login attribute.
struct KeyshareEnrollment: Sendable {
    var account: WalletKeyshareAccount
    /// The PIN that the user has just chosen, which answers the first question for it.
    private let chosen: ChosenPIN

    init(_ account: WalletKeyshareAccount, pin: String) {
        self.account = account
        chosen = ChosenPIN(pin)
    }

    /// The chosen PIN for the first question, the user's for later ones.
    func pin(orAsking ask: @escaping KeysharePINHandler) -> KeysharePINHandler {
        { prompt in
            if let pin = chosen.take() { return pin }
            return await ask(prompt)
        }
    }

    private final class ChosenPIN: Sendable {
        private let pin: Mutex<String?>

        init(_ pin: String) {
            self.pin = Mutex(pin)
        }

        func take() -> String? { pin.withLock { $0.take() } }
    }
}
