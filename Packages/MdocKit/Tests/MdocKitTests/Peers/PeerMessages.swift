/// A task for a peer; bytes are hexadecimal.
struct PeerTask: Encodable, Sendable {
    enum Verb: String, Encodable {
        case issue
        case verify
    }

    let verb: Verb
    var peer = PythonPeers.Peer.isomdoc
    var docType: String?
    var elements: [String: [String: String]]?
    var signer: String?
    var signerKey: String?
    var deviceKey: String?
    var response: String?
    var transcript: String?
    var anchor: String?

    init(_ verb: Verb) {
        self.verb = verb
    }
}

/// The answer of a peer.
struct PeerAnswer: Decodable, Sendable {
    /// The issued credential, in hexadecimal.
    let issuerSigned: String?
    /// The elements that it verified.
    let elements: [String: [String: String]]?
    /// The reason of a refusal.
    let refusal: String?
}
