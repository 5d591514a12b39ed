package import CBORKit
public import CryptoCore
public import JSONKit

/// An encrypted response of `org-iso-mdoc` over the Digital Credentials API (ISO/IEC TS 18013-7, C.4).
public struct MdocDigitalCredentialsResponse: Sendable {
    /// The encapsulated key of HPKE: a point of 65 bytes.
    public let enc: ArraySlice<UInt8>
    /// The ciphertext with its tag.
    public let cipherText: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Encrypts a response, for a wallet.
    ///
    /// - Parameters:
    ///   - response: The answer, whose documents are bound to the transcript of the session.
    ///   - encryptionInfo: That of the request.
    ///   - origin: The origin of the page that asks, as the API gives it.
    ///   - random: The source of the ephemeral key.
    /// - Throws: ``MdocError`` with code `unsupportedKey` if nothing can be encrypted to the key.
    public init(
        encrypting response: DeviceResponse,
        for encryptionInfo: MdocDigitalCredentialsEncryptionInfo,
        origin: String,
        using random: some RandomSource = .system
    ) throws(MdocError) {
        let sealed = try MdocHPKE.seal(
            [UInt8](response.encodedBytes),
            to: encryptionInfo.recipientPublicKey,
            encryptionInfo.sessionTranscript(origin: origin),
            random
        )
        enc = sealed.encapsulatedKey[...]
        cipherText = sealed.ciphertext[...]
    }

    /// Reads the response object that the API hands to a reader.
    ///
    /// The member is called `response` in every deployed wallet, and `Response` in the text of the standard; both are
    /// read.
    ///
    /// - Throws: ``MdocError`` with code `malformedJSON` if it is not the object, or with another code if the content
    ///   is not the structure.
    public init(json: JSONValue, options: MdocReadingOptions = .strict) throws(MdocError) {
        let text = try json.requiredText(json["response"] == nil && json["Response"] != nil ? "Response" : "response")
        (self, deviations) = try Self.read(MdocBase64URL.dcapiContent(text, options.limits)[...], options)
    }

    /// The response object.
    public var json: JSONValue {
        let encoded = CBORWriter.bytes { writer in
            writer.beginArray(count: 2)
            writer.write(text: "dcapi")
            writer.beginMap(count: 2)
            writer.write(text: "enc")
            writer.write(bytes: enc)
            writer.write(text: "cipherText")
            writer.write(bytes: cipherText)
        }
        return ["response": .string(MdocBase64URL.encode(encoded))]
    }

    /// Decrypts the response, for a reader.
    ///
    /// - Parameters:
    ///   - key: The private part of the key in the request.
    ///   - encryptionInfo: That of the request.
    ///   - origin: The reader's own origin.
    ///   - options: The options for reading the content.
    /// - Returns: The response; its deviations include those of the envelope.
    /// - Throws: ``MdocError`` with code `decryptionFailed` if it was not encrypted to this key for this request and
    ///   origin, or with another code if the content is not a DeviceResponse.
    public func decrypted(
        with key: any KeyAgreement,
        encryptionInfo: MdocDigitalCredentialsEncryptionInfo,
        origin: String,
        options: MdocReadingOptions = .strict
    ) async throws(MdocError) -> DeviceResponse {
        let plaintext = try await MdocHPKE.open(
            enc: enc,
            cipherText: cipherText,
            with: key,
            encryptionInfo.sessionTranscript(origin: origin)
        )
        let response = try DeviceResponse(decoding: plaintext, options: options)
        return response.reporting(deviations.within("envelope") + response.deviations)
    }
}

extension MdocDigitalCredentialsResponse: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let content = try reading.dcapiMember(view)
        let map = try cbor(content.map())
        enc = try cbor(map.required("enc").bytes())
        cipherText = try cbor(map.required("cipherText").bytes())
    }
}
