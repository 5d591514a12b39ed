package import CBORKit
public import CryptoCore

/// PassKit's answer to an app that asked for an identity document: a response in HPKE.
///
/// Only the reader's side, since Apple Wallet alone makes it. The transcript is that of
/// ``Handover/appleWallet(nonce:merchantID:teamID:recipient:)``.
public struct AppleWalletEnvelope: Sendable {
    /// The sender's ephemeral key, a point of 65 bytes.
    public let pkEm: ArraySlice<UInt8>
    /// SHA-256 of the recipient's point.
    public let pkRHash: ArraySlice<UInt8>
    /// SHA-256 of the session transcript; nil if the envelope does not tell.
    public let infoHash: ArraySlice<UInt8>?
    /// The ciphertext with its tag.
    public let data: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    private static let algorithm = "APPLE-HPKE-v1"

    /// Reads an envelope.
    ///
    /// - Throws: ``MdocError`` if it is not the structure, or `invalidValue` if it names another algorithm or mode.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// Decrypts the response.
    ///
    /// - Parameters:
    ///   - key: The private key of the merchant's certificate.
    ///   - sessionTranscript: The transcript of this session, from the reader's own knowledge of it.
    ///   - options: The options for reading the content.
    /// - Returns: The response; its deviations include those of the envelope.
    /// - Throws: ``MdocError`` with code `keyMismatch` if the envelope is for another key, `decryptionFailed` if it
    ///   belongs to another session or is damaged, or another code if the content is not a DeviceResponse.
    public func decrypted(
        with key: any KeyAgreement,
        sessionTranscript: SessionTranscript,
        options: MdocReadingOptions = .strict
    ) async throws(MdocError) -> DeviceResponse {
        guard let point = key.publicKey.x963Representation, pkRHash.elementsEqual(Handover.sha256(point)) else {
            throw MdocError(.keyMismatch, "the envelope is for another key")
        }
        if let infoHash, !infoHash.elementsEqual(Handover.sha256(sessionTranscript.encodedBytes)) {
            throw MdocError(.decryptionFailed, "the envelope belongs to another session transcript")
        }
        let plaintext = try await MdocHPKE.open(enc: pkEm, cipherText: data, with: key, sessionTranscript)
        let (content, met) = try Plaintext.read(plaintext[...], options)
        return content.response.reporting(deviations.within("envelope") + met)
    }

    /// `{"identity": DeviceResponse}`.
    private struct Plaintext: MdocReadable {
        let response: DeviceResponse

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            response = try DeviceResponse(try cbor(view.map().required("identity")), &reading)
        }
    }
}

extension AppleWalletEnvelope: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let algorithm = try cbor(map.required("algorithm"))
        guard try cbor(algorithm.text()) == Self.algorithm else {
            throw MdocError(.invalidValue, "the algorithm must be \(Self.algorithm)", at: algorithm)
        }
        let parameters = try cbor(map.required("params").map())
        let mode = try cbor(parameters.required("mode"))
        guard try cbor(mode.integer(as: Int.self)) == 0 else {
            throw MdocError(.invalidValue, "the mode must be 0", at: mode)
        }
        pkEm = try cbor(parameters.required("pkEm").bytes())
        pkRHash = try cbor(parameters.required("pkRHash").bytes())
        infoHash = try parameters.value(forKey: "infoHash").map { (view) throws(MdocError) in try cbor(view.bytes()) }
        data = try cbor(map.required("data").bytes())
    }
}
