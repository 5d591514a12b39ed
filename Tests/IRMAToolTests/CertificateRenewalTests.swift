#if Server && Client && SQLite
import CommandTesting
import CredentialServingHummingbird
import CredentialServingOperations
import CryptoCore
import Foundation
import NIOSSL
import ServerSupport
import Synchronization
import Testing

/// The certificates of listeners, loaded again at signals that the tests send.
@Suite struct CertificateRenewalTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let schema = Result {
        try ConfigurationSchema(
            name: "test",
            [ListenerKeys.certificate.declaration, ListenerKeys.certificateKey.declaration]
        )
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a certificate and its key.
    ///
    /// - Parameters:
    ///   - number: The serial number.
    ///   - days: The days for which it is valid from now on.
    ///   - files: The files to write.
    private func write(
        _ number: UInt8,
        validFor days: TimeInterval = 90,
        to files: Set<String> = ["tls.pem", "tls-key.pem"]
    ) async throws {
        let key = try PrivateKey.generate(.p256)
        var builder = CertificateBuilder(
            subject: try DistinguishedName(commonName: "localhost"),
            publicKey: key.publicKey,
            validity: Self.now - 86_400...Self.now + days * 86_400
        )
        builder.serialNumber = [number]
        let certificate = try await builder.selfSigned(by: SoftwareSigner(key))
        if files.contains("tls.pem") { try folder.write(certificate.pem, to: "tls.pem") }
        if files.contains("tls-key.pem") { try folder.write(key.pem, to: "tls-key.pem") }
    }

    private func certificate(_ arguments: [String]) throws -> ListenerCertificate? {
        let loader = ConfigurationLoader(try Self.schema.get())
        guard case .configuration(let configuration) = try loader.load(arguments: arguments, environment: [:]) else {
            return nil
        }
        return try configuration.certificate(ListenerKeys.certificate, ListenerKeys.certificateKey)
    }

    private func certificateInFiles() throws -> ListenerCertificate {
        try #require(
            try certificate([
                "--tls-cert-file", folder.path("tls.pem"), "--tls-privkey-file", folder.path("tls-key.pem"),
            ])
        )
    }

    /// The log of so many signals.
    private func log(of certificates: [ListenerCertificate], signals count: Int = 1) async -> [String] {
        let lines = Mutex<[String]>([])
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let renewal = CertificateRenewal(certificates, logger: logging.logger(label: "test")) { Self.now }
        let (signals, continuation) = AsyncStream.makeStream(of: Int.self)
        for signal in 0..<count { continuation.yield(signal) }
        continuation.finish()
        await renewal.run(at: signals)
        return lines.withLock { $0 }
    }

    private func serial(_ certificate: ListenerCertificate) -> [UInt8]? {
        certificate.certificate.chain.first?.serialNumber
    }

    @Test func loadsTheFilesAgain() async throws {
        try await write(1)
        let certificate = try certificateInFiles()
        #expect(serial(certificate) == [1])
        try await write(2)
        #expect(serial(certificate) == [1])
        let told = await log(of: [certificate], signals: 2)
        #expect(serial(certificate) == [2])
        #expect(told.count == 2, "\(told)")
        #expect(told.allSatisfy { $0.contains("tls_cert: the certificate was loaded again, and is valid until 2027-") })
    }

    /// Each fault leaves the certificate in use, and the log has the reason.
    @Test func keepsTheCertificateThatWorks() async throws {
        try await write(1)
        let certificate = try certificateInFiles()
        func reason() async -> String {
            let told = await log(of: [certificate])
            #expect(told.count == 1 && serial(certificate) == [1], "\(told)")
            return told.first ?? ""
        }
        try await write(2, to: ["tls.pem"])
        let foreignKey = await reason()
        #expect(foreignKey.contains("the certificate so far stays in use"), "\(foreignKey)")
        #expect(foreignKey.contains("invalidCertificate: the private key does not belong"), "\(foreignKey)")
        try folder.write("-----BEGIN CERTIFICATE-----\nx", to: "tls.pem")
        #expect(await reason().contains("invalidCertificate in tls_cert: no certificate in PEM"))
        try FileManager.default.removeItem(atPath: folder.path("tls.pem"))
        #expect(await reason().contains("unreadableFile in tls_cert"))
        try await write(3)
        try folder.write("", to: "tls-key.pem")
        #expect(await reason().contains("invalidCertificate in tls_privkey: no private key in PEM"))
        try await write(4)
        _ = await log(of: [certificate])
        #expect(serial(certificate) == [4])
    }

    @Test(arguments: [(-0.5, "a certificate has expired on"), (29, "a certificate expires on")])
    func warnsOfACertificateThatEnds(days: TimeInterval, warning: String) async throws {
        try await write(1)
        let certificate = try certificateInFiles()
        try await write(2, validFor: days)
        let told = await log(of: [certificate])
        #expect(serial(certificate) == [2])
        #expect(told.count == 2 && told[1].contains("tls_cert: \(warning)"), "\(told)")
    }

    @Test func saysThatThereIsNothingToLoad() async throws {
        try await write(1)
        let inline = try certificate([
            "--tls-cert=" + (try String(contentsOfFile: folder.path("tls.pem"), encoding: .utf8)),
            "--tls-privkey=" + (try String(contentsOfFile: folder.path("tls-key.pem"), encoding: .utf8)),
        ])
        for certificates in [[], [try #require(inline)]] {
            let told = await log(of: certificates)
            #expect(told.count == 1 && told[0].contains("nothing is loaded again"), "\(told)")
        }
    }
}
#endif
