import CommandSupport
import MdocResults

extension DeviceAuthenticationDiagnosis {
    /// The finding in a sentence: what the device signed, or that it signed nothing that the options lead to.
    var outline: Outline {
        switch finding {
        case .fits(let attempt):
            .text("the device authenticated another session: \(attempt.summary)")
        case .cannotBeChecked(let reason):
            .text("device authentication cannot be checked with any session: \(reason)")
        case .nothingFits:
            .text(
                """
                the device authenticated none of the \(attempts.count) sessions that the options lead to: the nonce or \
                another value of the session is not the one that the wallet answered to, or it signed with another key
                """
            )
        }
    }
}

extension DeviceAuthenticationAttempt {
    /// The flow and its variations, without the bytes.
    fileprivate var summary: String {
        ([form.description] + variations.map(\.description)).joined(separator: "; ")
    }
}
