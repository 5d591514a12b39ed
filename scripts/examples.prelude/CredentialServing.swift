import Configuration
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import Crypto
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import ServingContracts
import Testing

struct SessionError: Error {
    let encoded: [UInt8]
    let status: HTTPResponse.Status
}

struct Transaction: Codable, Sendable {
    var isDone = false
}

struct StatusChange: Sendable {
    let json: String
}

let engine: any HTTPEngine = given()
let irma = engine
let verifier = engine
let routes: [ServerRoute] = []
let proxies: TrustedProxies = given()
let certificate: ServerCertificate = given()
let logger = Logger(label: "server")
let registry = MetricsRegistry()
let observer: RequestObserver = given()
let health: Health = given()
let schema: ConfigurationSchema = given()
let configuration: CredentialServingOperations.ServerConfiguration = given()
let settings: OperationsSettings = given()
let environment: [String: String] = [:]
let store: any SessionStore = given()
let sweep: any Service = given()
let listener: HummingbirdServer = given()
let operationsListener: any Service = given()
let request: ServerRequest = given()
let claims = ""
let state = ""

func start(_ body: [UInt8]) async throws -> [UInt8] { [] }
func status(of token: String) async throws -> [UInt8] { [] }
func statusChanges(of token: String) async throws -> AsyncStream<StatusChange> { given() }
func run(_ configuration: CredentialServingOperations.ServerConfiguration) async throws {}
func authenticate(with key: String) {}

// in InMemoryServer.swift
let request: [UInt8] = []
// in KeepSessions.md
let store: SQLiteSessionStore = given()
let server: any Service = given()
// in RunItInProduction.md
let status = ""
// in TypedSessions.swift
let store: any SessionStore = given()
// in HTTPServingLaw.swift
let world: any HTTPServingWorld = given()
// in SessionStoreLaw.swift
func world() -> SessionStoreWorld { given() }
