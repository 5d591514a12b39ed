public import CBORKit

/// An accumulator as the revocation authority signed it.
public struct SignedAccumulator: Hashable, Sendable {
    /// The signed message, as received.
    public let data: [UInt8]
    /// The counter of the issuer's key that the accumulator belongs to.
    public let keyCounter: UInt

    /// Keeps a received message.
    ///
    /// ``verified(by:)`` opens it; ``UnsignedAccumulator`` makes one.
    public init(data: [UInt8], keyCounter: UInt) {
        self.data = data
        self.keyCounter = keyCounter
    }

    /// Reads a signed accumulator in CBOR; the accumulator inside is not verified.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR``.
    public init(decodingCBOR bytes: some Collection<UInt8>) throws(IdemixError) {
        self = try .read(bytes)
    }

    /// The accumulator inside, for display: nothing has been verified.
    ///
    /// - Throws: ``IdemixError/Code/invalidSignedMessage``, ``IdemixError/Code/limitExceeded``.
    public func unverifiedAccumulator() throws(IdemixError) -> RevocationAccumulator {
        try RevocationAccumulator(encoded: SignedMessage(decoding: data).message)
    }

    /// The accumulator, after its signature and its key counter have been checked.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported``, ``IdemixError/Code/invalidSignedMessage``,
    ///   ``IdemixError/Code/limitExceeded``, or ``IdemixError/Code/notInvertible`` for a value outside the group.
    public func verified(by publicKey: IdemixIssuerPublicKey) throws(IdemixError) -> RevocationAccumulator {
        guard publicKey.supportsRevocation, let key = publicKey.revocationKey else {
            throw IdemixError(.revocationNotSupported, "the public key has no material for revocation")
        }
        guard keyCounter == publicKey.counter else {
            throw IdemixError(
                .invalidSignedMessage,
                "the accumulator belongs to key \(keyCounter), not \(publicKey.counter)",
                path: ["pk"]
            )
        }
        let accumulator = try RevocationAccumulator(encoded: SignedMessage(decoding: data).verifiedMessage(key: key))
        try publicKey.requireUnit(accumulator.value, "Nu")
        return accumulator
    }
}

extension SignedAccumulator: CBOREncodable, CBORDecodable {
    /// Writes the map `{"data", "pk"}`.
    public func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 2)
        writer.write(text: "data")
        writer.write(bytes: data)
        writer.write(text: "pk")
        writer.write(integer: keyCounter)
    }

    /// Reads the map `{"data", "pk"}`; the accumulator inside is not verified.
    public init(cbor view: CBORView) throws {
        let map = try view.map()
        self.init(data: Array(try map.required("data").bytes()), keyCounter: try map.required("pk").integer())
    }
}
