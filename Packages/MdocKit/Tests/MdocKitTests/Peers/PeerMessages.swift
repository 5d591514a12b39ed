/// A task for a peer; bytes are hexadecimal.
struct PeerTask: Encodable, Sendable {
    enum Verb: String, Encodable {
        case issue
        case verify
        case mentions
    }

    let verb: Verb
    let peer: PythonPeers.Peer
    var docType: String?
    var elements: [String: [String: String]]?
    var signer: String?
    var signerKey: String?
    var deviceKey: String?
    var response: String?
    var transcript: String?
    var anchor: String?
    var words: [String]?

    init(_ verb: Verb, by peer: PythonPeers.Peer) {
        self.verb = verb
        self.peer = peer
    }
}

/// The answer of a peer.
struct PeerAnswer: Decodable, Sendable {
    /// The issued credential, in hexadecimal.
    let issuerSigned: String?
    /// The elements that it verified.
    let elements: [String: [String: String]]?
    /// The words that its sources contain.
    let mentioned: [String]?
    /// The reason of a refusal.
    let refusal: String?
}
