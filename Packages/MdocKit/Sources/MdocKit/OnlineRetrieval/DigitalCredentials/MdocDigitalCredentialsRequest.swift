public import JSONKit

/// A request of `org-iso-mdoc` over the Digital Credentials API (ISO/IEC TS 18013-7, Annex C).
///
/// ```swift
/// let info = try MdocDigitalCredentialsEncryptionInfo(recipientKey: key.publicKey)
/// let transcript = info.sessionTranscript(origin: "https://reader.example")   // for the reader's signatures
/// let request = MdocDigitalCredentialsRequest(deviceRequest: deviceRequest, encryptionInfo: info)
/// // navigator.credentials.get({digital: {requests: [{protocol: "org-iso-mdoc", data: …}]}})
/// let data = request.json
/// ```
public struct MdocDigitalCredentialsRequest: Sendable {
    /// The request; the reader's signatures are not verified.
    public let deviceRequest: DeviceRequest
    /// The nonce and the key that the response is encrypted to.
    public let encryptionInfo: MdocDigitalCredentialsEncryptionInfo

    /// The name of the protocol, as every deployed browser and wallet has it.
    public static let protocolIdentifier = "org-iso-mdoc"

    /// Returns `true` for the name of the protocol: as deployed, or as the text of the standard prints it.
    public static func isProtocolIdentifier(_ name: String) -> Bool {
        [protocolIdentifier, "org.iso.mdoc"].contains { $0.hasSameBytes(as: name) }
    }

    /// Puts a request together.
    public init(deviceRequest: DeviceRequest, encryptionInfo: MdocDigitalCredentialsEncryptionInfo) {
        self.deviceRequest = deviceRequest
        self.encryptionInfo = encryptionInfo
    }

    /// Reads the request object that the API hands to a wallet.
    ///
    /// - Throws: ``MdocError`` with code `malformedJSON` for another value than the object, or with another code for an
    ///   invalid member.
    public init(json: JSONValue, options: MdocReadingOptions = .strict) throws(MdocError) {
        let request = try json.requiredText("deviceRequest")
        deviceRequest = try DeviceRequest(
            decoding: MdocBase64URL.dcapiContent(request, options.limits),
            options: options
        )
        encryptionInfo = try MdocDigitalCredentialsEncryptionInfo(
            text: json.requiredText("encryptionInfo"),
            options: options
        )
    }

    /// The request object.
    public var json: JSONValue {
        [
            "deviceRequest": .string(MdocBase64URL.encode(deviceRequest.encodedBytes)),
            "encryptionInfo": .string(encryptionInfo.text),
        ]
    }
}

extension JSONValue {
    /// The text of a member.
    func requiredText(_ name: String) throws(MdocError) -> String {
        guard let text = self[name]?.stringValue else {
            throw MdocError(.malformedJSON, "the object has no text \"\(name)\"")
        }
        return text
    }
}
