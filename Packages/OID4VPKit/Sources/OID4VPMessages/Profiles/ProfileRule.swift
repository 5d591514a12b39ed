/// A demand of a profile that a request or a response can break: an open set.
public struct ProfileRule: Hashable, Sendable, CustomStringConvertible {
    /// The rule's name, in lower camel case.
    public let description: String
    /// The breach, for a developer.
    let finding: String

    private init(_ name: String, _ finding: String) {
        description = name
        self.finding = finding
    }

    /// Compares the names.
    public static func == (left: ProfileRule, right: ProfileRule) -> Bool { left.description == right.description }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    // MARK: Requests

    /// The request is of a version that the profile uses.
    public static let version = ProfileRule("version", "the profile does not use this version")
    /// The client is identified by a rule that the profile uses.
    public static let clientIdentifier = ProfileRule(
        "clientIdentifier",
        "the profile does not use this kind of client identifier"
    )
    /// The request is signed, where the profile demands it.
    public static let signedRequest = ProfileRule("signedRequest", "the request is not signed")
    /// The request comes by reference.
    public static let requestURI = ProfileRule("requestURI", "the request does not come by request_uri")
    /// The request is signed with an algorithm of the profile, or one that its ecosystem adds.
    public static let requestAlgorithm = ProfileRule(
        "requestAlgorithm",
        "the request is signed with an algorithm that neither the profile nor its ecosystem has"
    )
    /// The wallet takes requests, and the verifier presentations, with each algorithm that the profile demands of them.
    public static let supportedAlgorithms = ProfileRule(
        "supportedAlgorithms",
        "the wallet or the verifier does not support each algorithm that the profile demands"
    )
    /// The certificates of the signer leave out the trust anchor, and the first one is not self-signed.
    public static let certificateChain = ProfileRule(
        "certificateChain",
        "the certificates include the trust anchor, or that of the signer is self-signed"
    )
    /// The response mode is one of the profile.
    public static let responseMode = ProfileRule("responseMode", "the profile does not use this response mode")
    /// The response is encrypted with algorithms of the profile, to a key on one of its curves.
    public static let encryption = ProfileRule("encryption", "the profile does not use this encryption of the response")
    /// The verifier takes every content encryption that the profile demands of verifiers.
    public static let offeredEncryptions = ProfileRule(
        "offeredEncryptions",
        "the verifier does not take each of the content encryptions that the profile demands"
    )

    /// The key for the response is of one request alone.
    public static let ephemeralKey = ProfileRule(
        "ephemeralKey",
        "the key for the response is not of the request alone"
    )
    /// A link for the same device leads to a redirect with a response code, which the result demands.
    public static let redirect = ProfileRule(
        "redirect",
        "the user's browser is not sent on with a response code that the result demands"
    )

    // MARK: Queries

    /// The query is in the language of the profile, and part of the request.
    public static let query = ProfileRule("query", "the profile does not use this kind of query")
    /// The formats that are asked for are those of the profile.
    public static let format = ProfileRule("format", "the profile does not use one of the formats")
    /// Each descriptor demands limited disclosure.
    public static let limitDisclosure = ProfileRule(
        "limitDisclosure",
        "a descriptor does not require limited disclosure"
    )
    /// Each field states the intent to retain the element.
    public static let intentToRetain = ProfileRule("intentToRetain", "a field does not state the intent to retain")
    /// Each path is that of one element: `$['namespace']['element']`.
    public static let elementPath = ProfileRule("elementPath", "a path is not that of an element in a namespace")

    // MARK: Presentations

    /// An SD-JWT that binds a key of the holder has it as a JWK, and is presented with a key binding.
    public static let keyBinding = ProfileRule(
        "keyBinding",
        "the SD-JWT has no holder's key as a JWK, or no key binding"
    )
    /// An SD-JWT has the issuer's certificates, without the anchor and with one for the issuer that is not self-signed.
    public static let issuerCertificates = ProfileRule(
        "issuerCertificates",
        "the SD-JWT has no certificates of its issuer, or one that is self-signed"
    )
    /// An SD-JWT that names a status names a status list.
    public static let statusList = ProfileRule("statusList", "the status of the SD-JWT is not in a status list")
    /// A response with mdocs has one document.
    public static let singleDocument = ProfileRule(
        "singleDocument",
        "a response with mdocs has not exactly one document"
    )
    /// An mdoc is authenticated by the device's signature.
    public static let deviceSignature = ProfileRule("deviceSignature", "an mdoc is not authenticated by a signature")
}
