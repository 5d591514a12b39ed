public import IdemixCore
import JSONKit

/// The members that all session requests share.
///
/// Context, nonce, protocol version and developer mode are the server's to set, whatever a requestor sent.
public struct SessionParameters: Hashable, Sendable {
    /// The context of the challenge: 1.
    public var context: BigInteger?
    /// The nonce n_1 of the challenge.
    public var nonce: BigInteger?
    /// The version of the protocol that was negotiated.
    public var protocolVersion: ProtocolVersion?
    /// Indicates a server in developer mode, whose requests wallets refuse unless they are in it too.
    public var isDeveloperMode = false
    /// The demands for proofs of non-revocation, or nil.
    public var revocation: NonRevocationDemands?
    /// The URL that the wallet returns to after the session.
    public var clientReturnURL: String?
    /// Indicates that the server appends the requestor's token to ``clientReturnURL``.
    public var augmentsReturnURL = false
    /// The host in the URL of the session's pointer, which the wallet's requests then have to name; nil for the default.
    public var host: String?

    /// Parameters without any member.
    public init() {}

    /// The nonce and context as a challenge; absent ones are 0 and 1.
    public func challenge(kind: IdemixChallenge.Kind = .proof) -> IdemixChallenge {
        IdemixChallenge(context: context ?? 1, nonce: nonce ?? 0, kind: kind)
    }

    init(_ members: MessageMembers) throws(IRMAError) {
        context = try members.idemix("context")
        nonce = try members.idemix("nonce")
        protocolVersion = try members.message("protocolVersion")
        isDeveloperMode = try members.flag("devMode")
        revocation = try members.message("revocation")
        clientReturnURL = try members.text("clientReturnUrl")
        augmentsReturnURL = try members.flag("augmentReturnUrl")
        host = try members.nonEmptyText("host")
    }

    func write(to object: inout JSONObject) throws(IRMAError) {
        try object.write("context", idemixIfPresent: context)
        try object.write("nonce", idemixIfPresent: nonce)
        try object.write("protocolVersion", ifPresent: protocolVersion)
        try object.write("revocation", ifPresent: revocation)
        object.write("devMode", flag: isDeveloperMode)
        object.write("clientReturnUrl", ifPresent: clientReturnURL)
        object.write("augmentReturnUrl", flag: augmentsReturnURL)
        object.write("host", ifPresent: host)
    }
}
