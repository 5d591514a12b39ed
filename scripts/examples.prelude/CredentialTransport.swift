import CredentialTransport
import Foundation

struct KeySet: Sendable {
    init(_ bytes: [UInt8]) throws(TransportError) {}
    func contains(_ key: String) -> Bool { false }
}

struct Hash {
    mutating func update(_ bytes: [UInt8]) {}
}

struct Logger: Sendable {
    func info(_ text: String) {}
}

let url: HTTPURL = given()
let server = url
let statusEvents = url
let issuer = ""
let keyID = ""
let time = Date()
let logger = Logger()
let connector: any HTTPConnector = given()
let cache: DocumentCache<String, KeySet, TransportError> = given()

@Sendable func fetch(_ issuer: String) async throws(TransportError) -> FetchedDocument<KeySet> { given() }
func handle(_ part: ServerSentPart) {}

// in HTTPResponseStream.swift
var hash = Hash()
let request: HTTPTransportRequest = given()
// in HTTPSession.swift
let login: HTTPTransportRequest = given()
// in ServerSentEventParser.swift
let stream: HTTPResponseStream = given()
// in InMemoryHTTPTransport.swift
let keys: [UInt8] = []
