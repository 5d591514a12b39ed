import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import Testing

/// The files of a small scheme, which tests change, sign, store and serve.
struct SchemeFixture: Sendable {
    static let id: SchemeIdentifier = "demo"
    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    var files: [SchemePath: [UInt8]]
    let signer: SoftwareSigner

    init(issuers: Int = 1, keysPerIssuer: Int = 1) throws {
        signer = try SoftwareSigner(PrivateKey.generate(.p256))
        files = ["description.xml": Self.bytes(Self.description)]
        let key = try Scene.shared.get().keys.publicKey
        for issuer in 0..<issuers {
            let folder = issuer == 0 ? "bank" : "bank\(issuer)"
            files[SchemePath("\(folder)/description.xml")] = Self.bytes(Self.issuer(folder))
            files[SchemePath("\(folder)/Issues/card/description.xml")] = Self.bytes(Self.card(of: folder))
            files[SchemePath("\(folder)/logo.png")] = [0x89, 0x0d, 0x0a]
            for counter in 0..<keysPerIssuer {
                let own = try IdemixIssuerPublicKey(
                    counter: UInt(counter),
                    expiryDate: key.expiryDate,
                    elements: key.elements,
                    revocationKey: key.revocationKey
                )
                files[SchemePath("\(folder)/PublicKeys/\(counter).xml")] = own.xml
            }
        }
    }

    func verified(at time: Date = time) async throws -> VerifiedSchemeFiles {
        try await SchemeFiles(scheme: Self.id, files: files).signed(with: signer, at: time)
    }

    func scheme() async throws -> IRMAScheme { try IRMAScheme(await verified()) }

    /// The same scheme with a file changed.
    func changing(_ path: SchemePath, _ old: String, _ new: String) throws -> SchemeFixture {
        var changed = self
        let text = String(decoding: try #require(files[path]), as: UTF8.self)
        #expect(text.contains(old))
        changed.files[path] = Self.bytes(text.replacingOccurrences(of: old, with: new))
        return changed
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static let description = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- A scheme for tests. -->
        <SchemeManager version="7">
        \t<Id>demo</Id><Url>https://schemes.example/demo</Url><Demo>true</Demo>
        \t<Name><en>Demo &amp; more</en><nl><![CDATA[Demo <en> meer]]></nl></Name>
        \t<Description><en>&#68;emo</en></Description>
        \t<MinimumAppVersion><Android>17</Android><iOS>3</iOS></MinimumAppVersion>
        \t<TimestampServer>https://time.example/atum</TimestampServer>
        \t<Languages><Language>en</Language><Language>fr</Language></Languages>
        </SchemeManager>
        """

    static func issuer(_ name: String) -> String {
        """
        <Issuer version="4"><ID>\(name)</ID><SchemeManager>demo</SchemeManager><Name><en>Demo bank</en><fr>Demo banque</fr></Name>
        <ContactEMail>a@example.com</ContactEMail><DeprecatedSince>1700000000</DeprecatedSince></Issuer>
        """
    }

    static func card(of issuer: String) -> String {
        """
        <IssueSpecification version="4"><SchemeManager>demo</SchemeManager><IssuerID>\(issuer)</IssuerID>
        <CredentialID>card</CredentialID><Name><en>Demo card</en><fr>Demo carte</fr></Name><ShouldBeSingleton>true</ShouldBeSingleton>
        <Attributes><Attribute id="name" displayIndex="1" displayHint="text"><Name><en>Name</en></Name></Attribute>
        <Attribute id="level" optional="true"/><Attribute id='number' randomblind="true" /></Attributes>
        <FAQIntro><en>Why</en></FAQIntro><ForegroundColor>#123456</ForegroundColor></IssueSpecification>
        """
    }
}
