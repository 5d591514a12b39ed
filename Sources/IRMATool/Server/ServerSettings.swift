#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import JSONKit
import NIOCore

/// The configuration of `irma server`, with the defaults that depend on the mode.
struct ServerSettings: Sendable {
    let configuration: ServerConfiguration
    let isProduction: Bool
    let operations: OperationsSettings

    /// Reads the settings of every part.
    ///
    /// - Throws: ``ToolError`` for keys that ask for a missing feature, and `OperationsError`.
    init(_ configuration: ServerConfiguration) throws {
        self.configuration = configuration
        isProduction = try configuration.value(of: ServerKeys.isProduction)
        operations = try OperationsSettings(configuration, isProduction: isProduction)
        try refuseUnsupported()
    }

    private func refuseUnsupported() throws {
        if try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) == "mysql" {
            throw ToolError("revocation_db_type: MySQL is not supported")
        }
    }

    /// The options of the session server.
    ///
    /// - Parameter schemes: The schemes, which know the names of credential types.
    func sessionOptions(_ schemes: SchemeSnapshot) throws -> SessionServerOptions {
        var options = SessionServerOptions(
            mode: isProduction ? .production : .development,
            maximumSessionLifetime: try configuration.value(of: ServerKeys.maximumSessionLifetime),
            resultLifetime: try configuration.value(of: ServerKeys.resultLifetime),
            minimumVersion: try configuration.value(of: ServerKeys.allowsOldVersions) ? .v2_4 : .v2_8
        )
        options.offersEventStreams = try configuration.value(of: ServerKeys.usesEventStreams)
        options.augmentsReturnURLs = try configuration.value(of: ServerKeys.augmentsReturnURL)
        options.allowsUnsignedCallbacks = try configuration.value(of: ServerKeys.allowsUnsignedCallbacks)
        options.allowsPlainHTTP = try configuration.value(of: ServerKeys.disablesTLS)
        options.hasSeparateRequestorListener = try hasWalletListener()
        options.resultIssuer = try configuration.value(of: ServerKeys.jwtIssuer)
        options.disclosurePolicy.revocationTolerances = try revocationTolerances(schemes)
        return options
    }

    /// The sessions that wallets can start.
    func staticSessions() throws -> [String: RequestorMessage] {
        guard let json = try configuration.valueIfPresent(of: ServerKeys.staticSessions) else { return [:] }
        guard let members = json.objectValue else { throw ToolError("static_sessions: not a table of sessions") }
        var sessions: [String: RequestorMessage] = [:]
        for member in members {
            do {
                sessions[member.name] = try RequestorMessage(json: member.value)
            } catch {
                throw ToolError("static_sessions.\(member.name): \(error)")
            }
        }
        return sessions
    }

    /// The key that signs results, or nil.
    func resultSigner() throws -> (any Signer)? {
        try configuration.valueIfPresent(of: ServerKeys.jwtPrivateKey).map { secret in
            try secret.withValue { try RSAKeys.signer(pem: $0, named: "jwt_privkey") }
        }
    }

    /// The guard of requests to the URLs that requestors name.
    func callbackGuard() throws -> AddressGuard {
        let allowsPrivate = try configuration.valueIfPresent(of: ServerKeys.allowsPrivateCallbacks) ?? !isProduction
        guard allowsPrivate else { return AddressGuard() }
        return AddressGuard(
            allowing: [.loopback, .privateUse, .uniqueLocal],
            literalAddresses: true,
            plainHTTP: true,
            ports: .any
        )
    }

    /// The URL of the wallets' endpoints.
    ///
    /// - Parameter port: The port of the listener for wallets.
    func url(port: Int) throws -> String {
        let isTLS = try certificate(ofWallets: true) != nil
        var url: String
        if let given = try configuration.valueIfPresent(of: ServerKeys.url), !given.isEmpty {
            url = given
        } else {
            guard !isProduction else { throw ToolError("url: production mode needs the URL that wallets reach") }
            url = "http://\(LocalAddress.first ?? "localhost"):port"
        }
        url = Self.replacingPort(in: url, with: port)
        if !url.hasSuffix("/") { url += "/" }
        if !url.hasSuffix("irma/") { url += "irma/" }
        if isTLS, url.hasPrefix("http://") { url = "https://" + url.dropFirst("http://".count) }
        return url
    }

    /// A URL with the port in the place of the word `port` behind its host.
    static func replacingPort(in url: String, with port: Int) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard host.hasSuffix(":port") else { return url }
        return url[..<scheme.upperBound] + host.dropLast("port".count) + String(port) + rest.dropFirst(host.count)
    }
}

/// RSA keys that sign tokens.
enum RSAKeys {
    /// The signer of a key in PEM.
    ///
    /// - Parameters:
    ///   - pem: The key.
    ///   - name: The name of the setting.
    static func signer(pem: String, named name: String) throws(ToolError) -> SoftwareSigner {
        do {
            return try SoftwareSigner(try PrivateKey(pem: pem), algorithm: .rsaPKCS1SHA256)
        } catch {
            throw ToolError("\(name): no RSA key in PEM: \(error)")
        }
    }
}

/// The addresses of this machine.
enum LocalAddress {
    /// The first address of IP version 4 that is not loopback, or nil for a machine without a network.
    static var first: String? {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.lazy.compactMap { device -> String? in
            guard case .v4? = device.address, let address = device.address?.ipAddress else { return nil }
            return address.hasPrefix("127.") ? nil : address
        }.first
    }
}
#endif
