public import CryptoCore
public import MdocKit

/// A website that has shown its engagement and waits for a wallet's first message (ISO/IEC TS 18013-7, Annex A).
///
/// It takes one message, which uses it up. The resulting session is a ``ReaderSessionMachine`` over the bodies
/// of HTTP: what the machine sends answers the wallet's POST, and each body that the wallet posts is received.
public struct EngagedWebsite: ~Copyable, Sendable {
    /// A session that a wallet has joined.
    public struct Session: ~Copyable, Sendable {
        /// Requests and responses from here on.
        public var machine: ReaderSessionMachine
        /// The website's ephemeral key of the session, with which a device key may agree on a MAC.
        public let readerKey: PrivateKey
        /// The engagement that the wallet sent.
        public let deviceEngagement: DeviceEngagement

        /// The machine alone; the rest is given up.
        public consuming func takeMachine() -> ReaderSessionMachine { machine }
    }

    /// The engagement that wallets are shown.
    public let engagement: ReaderEngagement

    private let key: PrivateKey
    private let domain: String
    private let acceptsUnknownDomain: Bool
    private let options: MdocReadingOptions

    /// Makes an engagement with a new key.
    ///
    /// - Parameters:
    ///   - uri: The address for the wallet's answers; new for every session.
    ///   - domain: The website's own domain, which the wallet must have been called from.
    ///   - acceptsUnknownDomain: Indicates that a wallet will do that does not know where it was called from. Nothing
    ///     then keeps another website from passing this one's link on.
    ///   - curve: The curve of the ephemeral key.
    ///   - random: The source of the key.
    ///   - options: The options for reading messages.
    /// - Throws: `MdocError` with code `unsupportedKey` for a curve without key agreement.
    public init(
        uri: String,
        domain: String,
        acceptsUnknownDomain: Bool = false,
        curve: EllipticCurve = .p256,
        using random: some RandomSource = .system,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) {
        let key = try PrivateKey.ephemeral(on: curve, using: random)
        engagement = try ReaderEngagement(eReaderKey: key.publicKey, uri: uri)
        self.key = key
        self.domain = domain
        self.acceptsUnknownDomain = acceptsUnknownDomain
        self.options = options
    }

    /// Takes the body of the wallet's first POST.
    ///
    /// If the wallet's key is on another curve, the website makes a second key, and its first request is a
    /// SessionEstablishment; otherwise it is a SessionData.
    ///
    /// - Parameters:
    ///   - body: The body: `{"deviceEngagementBytes": …}`.
    ///   - random: The source of a second key.
    /// - Throws: `MdocError` with code `originMismatch` if the wallet was called from another website,
    ///   `unsupportedKey`, or another code for a malformed body.
    public consuming func receive(
        _ body: [UInt8],
        using random: some RandomSource = .system
    ) async throws(MdocError) -> Session {
        let (message, deviations) = try DeviceEngagementMessage.read(body[...], options)
        try Self.require(domain, acceptsUnknownDomain, in: message.engagement)
        let deviceKey = try message.engagement.eDeviceKey.keyAgreementKey()
        let curvesAgree = deviceKey.curve == key.curve
        let readerKey = curvesAgree ? key : try .ephemeral(on: deviceKey.curve ?? .p256, using: random)
        let keyBytes =
            curvesAgree
            ? [UInt8](engagement.eReaderKeyBytes)
            : try SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey)
        let machine = try await ReaderSessionMachine(
            deviceKey: deviceKey,
            readerKey: readerKey,
            sessionTranscript: SessionTranscript(
                deviceEngagementBytes: message.deviceEngagementBytes,
                eReaderKeyBytes: keyBytes,
                handover: .website(readerEngagementBytes: engagement.taggedBytes)
            ),
            capabilities: message.engagement.capabilities,
            unsentKey: curvesAgree ? nil : keyBytes,
            options: options,
            deviations: deviations
        )
        return Session(machine: machine, readerKey: readerKey, deviceEngagement: message.engagement)
    }

    /// Every website that the wallet names must be this one, and it must name one.
    private static func require(
        _ domain: String,
        _ acceptsUnknown: Bool,
        in engagement: DeviceEngagement
    ) throws(MdocError) {
        let domains = (engagement.originInfos ?? []).filter { $0.category == 1 && $0.type == 1 }.map { $0.domain ?? "" }
        let isUnknown = domains.allSatisfy(\.isEmpty)
        if isUnknown, acceptsUnknown { return }
        guard !isUnknown, domains.allSatisfy({ $0.lowercased().hasSameBytes(as: domain.lowercased()) }) else {
            let named = isUnknown ? "an unknown website" : domains.joined(separator: ", ")
            throw MdocError(.originMismatch, "the wallet was called from \(named), not from \(domain)")
        }
    }
}
