import IRMAMessages

/// The choice of a protocol version that both wallet and server speak.
struct VersionNegotiation {
    /// The newest version that the server speaks.
    static let newest = ProtocolVersion.v2_8

    /// The oldest version that a session can have.
    let oldest: ProtocolVersion

    /// The versions of a session.
    ///
    /// - Parameters:
    ///   - record: The session.
    ///   - minimum: The oldest version that the server's settings allow.
    init(_ record: SessionRecord, minimum: ProtocolVersion) {
        var oldest = minimum
        if (try? LegacyRequestConverter.legacy(from: record.effectiveRequest)) == nil { oldest = max(oldest, .v2_5) }
        let hasRevocation = record.request.credentials.contains { $0.revocationKey != nil }
        if record.request.parameters.revocation?.demands.isEmpty == false || hasRevocation {
            oldest = max(oldest, .v2_6)
        }
        if record.wishes.nextSessionURL != nil { oldest = max(oldest, .v2_7) }
        self.oldest = oldest
    }

    /// The newest version that both speak, or nil.
    func version(from oldestOfWallet: ProtocolVersion, to newestOfWallet: ProtocolVersion) -> ProtocolVersion? {
        guard oldestOfWallet <= newestOfWallet, oldestOfWallet <= Self.newest, newestOfWallet >= oldest else {
            return nil
        }
        return min(newestOfWallet, Self.newest)
    }
}
