/// What a peer is asked to do; bytes are hexadecimal.
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

/// What a peer answers.
struct PeerAnswer: Decodable, Sendable {
    /// What it issued, in hexadecimal.
    let issuerSigned: String?
    /// The elements that it verified.
    let elements: [String: [String: String]]?
    /// Why it did nothing.
    let refusal: String?
}
