import Synchronization

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
