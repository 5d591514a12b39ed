/// The known status of a credential; the texts are findings for a developer.
public enum CredentialStatusVerdict: Hashable, Sendable {
    /// The credential is not revoked.
    case valid
    /// The credential is revoked for good.
    case revoked(String)
    /// The credential is not valid for now.
    case suspended(String)
    /// Nothing can be said. That is not ``valid``.
    case unknown(String)
}

extension CredentialStatusVerdict {
    /// The verdict that counts where several mechanisms speak about one credential: the worst, an earlier one before a
    /// later one.
    static func worst(of verdicts: [CredentialStatusVerdict]) -> CredentialStatusVerdict? {
        var worst = verdicts.first
        for verdict in verdicts.dropFirst() where verdict.gravity > (worst?.gravity ?? -1) { worst = verdict }
        return worst
    }

    /// The higher, the more a credential must be refused: what is known to be revoked counts before what is not known.
    private var gravity: Int {
        switch self {
        case .valid: 0
        case .unknown: 1
        case .suspended: 2
        case .revoked: 3
        }
    }
}
