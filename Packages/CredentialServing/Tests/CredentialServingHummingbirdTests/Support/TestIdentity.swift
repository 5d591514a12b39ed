#if Server
import CredentialServing
import CredentialServingHummingbird
import NIOSSL

/// A certificate of its own issuer for `localhost`, valid for a century, and its key, which is good for nothing else.
struct TestIdentity: Sendable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// - Parameter number: 1 or 2.
    init(_ number: Int = 1) throws {
        let (certificate, key) = number == 1 ? (Self.certificate1, Self.key1) : (Self.certificate2, Self.key2)
        chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
        self.key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
    }

    func certificate() throws -> ServerCertificate {
        let (chain, key) = (chain, key)
        return try ServerCertificate { (chain, key) }
    }

    /// A client's context that trusts this certificate only.
    func clientContext(protocols: [String] = ["http/1.1"]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(chain)
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    static let certificate1 = """
        -----BEGIN CERTIFICATE-----
        MIIBdDCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDozdemhXvmy4TSf
        GVgTEHzbFe8cQCF0Ych7kNEcHaXZYLuH3th65+J/PJptkkR9SossuV0s5P5kOOVr
        jg/bJnOjWzBZMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
        BTADAQH/MAsGA1UdDwQEAwIChDAdBgNVHQ4EFgQUj2jFD91De0duh41CUtckZ9bs
        B84wCgYIKoZIzj0EAwIDSAAwRQIhANG1k/8xwUf9UMSXi2b+OpdI4PyaYRv9C6D4
        8Emsie9DAiBdfFzun/fxvqto00sfJfERXE8gHQXGkoUb2rmSRojLnA==
        -----END CERTIFICATE-----
        """

    static let key1 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggIMf3FEWt4LIulUW
        CJnOx/ZLOXgK4b21/kgGJ3Ul3i6hRANCAAQ6M3XpoV75suE0nxlYExB82xXvHEAh
        dGHIe5DRHB2l2WC7h97YeufifzyabZJEfUqLLLldLOT+ZDjla44P2yZz
        -----END PRIVATE KEY-----
        """

    static let certificate2 = """
        -----BEGIN CERTIFICATE-----
        MIIBdDCCARqgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBy26ynM2ivwUewX
        TSpuwJA2SRYjo8qx56EoQpTZeZqJFYP04grlIIQFSfU9II7zr7GAtfvD2311+9QN
        kacFeHOjWzBZMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
        BTADAQH/MAsGA1UdDwQEAwIChDAdBgNVHQ4EFgQUq1ZplKhd/IPkXXNBOJIg5A5O
        f4YwCgYIKoZIzj0EAwIDSAAwRQIgX+Unf6SbMDpPRnKG8bTZ7oiDytbQFFgpZu64
        BHDEgzUCIQD4OnOglsyM3gWaNOQPboJxsCVIFQ7OtIZB4iDld6+f5w==
        -----END CERTIFICATE-----
        """

    static let key2 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaeBX+uB3NyK2/ZEx
        SH/ZTuyfhwk1ORXvEs9F1tVMa7GhRANCAAQctuspzNor8FHsF00qbsCQNkkWI6PK
        seehKEKU2XmaiRWD9OIK5SCEBUn1PSCO86+xgLX7w9t9dfvUDZGnBXhz
        -----END PRIVATE KEY-----
        """
}
#endif
