/// A keyshare server's answer to a challenge (ProofP).
public struct KeyshareResponse: Hashable, Sendable {
    /// The server's share P = R_0^s; nil if the server has merged its response with the user's.
    public let P: BigInteger?
    /// The challenge c.
    public let challenge: BigInteger
    /// ρ + c·s, or with the user's response added ρ + c·s + s^.
    public let secretKeyResponse: BigInteger

    /// Collects the numbers of a received answer.
    public init(P: BigInteger?, challenge: BigInteger, secretKeyResponse: BigInteger) {
        self.P = P
        self.challenge = challenge
        self.secretKeyResponse = secretKeyResponse
    }
}
