import Foundation
import IdemixCore
import TestSupport
import Testing

@Suite struct KeyXMLTests {
    let keys: IdemixIssuerKeyPair
    let text: String

    init() throws {
        keys = try TestKeys.pair(.bits1024)
        text = String(decoding: keys.publicKey.xml, as: UTF8.self)
    }

    private func refusal(_ edit: (String) -> String) -> IdemixError.Code? {
        code { _ = try IdemixIssuerPublicKey(xml: Array(edit(text).utf8)) }
    }

    private func replacing(_ element: String, by content: String) -> IdemixError.Code? {
        refusal { text in
            let pattern = "<\(element)>[^<]*</\(element)>"
            return text.replacingOccurrences(
                of: pattern,
                with: "<\(element)>\(content)</\(element)>",
                options: .regularExpression
            )
        }
    }

    @Test func writesTheExactForm() throws {
        let key = keys.publicKey
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#,
            #"<IssuerPublicKey xmlns="http://www.zurich.ibm.com/security/idemix">"#, "   <Counter>1</Counter>",
            "   <ExpiryDate>1900000000</ExpiryDate>", "   <Elements>",
        ]
        let (n, Z, S) = (key.elements.n.decimal, key.elements.Z.decimal, key.elements.S.decimal)
        let (G, H) = (try #require(key.elements.G).decimal, try #require(key.elements.H).decimal)
        for (name, value) in [("n", n), ("Z", Z), ("S", S), ("G", G), ("H", H)] {
            lines.append("      <\(name)>\(value)</\(name)>")
        }
        lines.append("      <Bases num=\"\(key.elements.R.count)\">")
        for (index, base) in key.elements.R.enumerated() {
            lines.append("         <Base_\(index)>\(base.decimal)</Base_\(index)>")
        }
        lines += ["      </Bases>", "   </Elements>", "   <Features>", #"      <Epoch length="432000"></Epoch>"#]
        lines += ["   </Features>"]
        #expect(text.hasPrefix(lines.joined(separator: "\n") + "\n   <ECDSA>"))
        #expect(text.hasSuffix("</ECDSA>\n</IssuerPublicKey>"))
    }

    @Test func readsWhatItWrote() throws {
        #expect(try IdemixIssuerPublicKey(xml: keys.publicKey.xml) == keys.publicKey)
        let privateKey = try IdemixIssuerPrivateKey(xml: keys.privateKey.xml())
        try privateKey.validate(against: keys.publicKey)
        #expect(try privateKey.xml() == keys.privateKey.xml())
    }

    @Test func takesBasesInOrderWhateverTheirNames() throws {
        let renamed = text.replacingOccurrences(of: "Base_0>", with: "Base_9>")
        #expect(try IdemixIssuerPublicKey(xml: Array(renamed.utf8)).elements.R == keys.publicKey.elements.R)
    }

    @Test func passesOverUnknownElementsAndComments() throws {
        let more = text.replacingOccurrences(of: "<Elements>", with: "<!-- & --><New a='b'/><Elements><T>7</T>")
        #expect(try IdemixIssuerPublicKey(xml: Array(more.utf8)) == keys.publicKey)
    }

    @Test func refusesMalformedXML() {
        #expect(refusal { _ in "" } == .malformedXML)
        #expect(refusal { _ in "<IssuerPrivateKey></IssuerPrivateKey>" } == .malformedXML)
        #expect(refusal { String($0.dropLast(5)) } == .malformedXML)
        #expect(refusal { $0 + "<more/>" } == .malformedXML)
        #expect(refusal { $0 + "text" } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "</Counter>", with: "</Count>") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "num=\"7\"", with: "num=\"8\"") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "num=\"7\"", with: "num=\"7\" num=\"7\"") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "num=\"7\"", with: "num=7") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "<Counter>", with: "<Counter>&lt;") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "<Counter>1", with: "<Counter><![CDATA[1]]>") } == .malformedXML)
        #expect(
            refusal { $0.replacingOccurrences(of: "?>\n", with: "?>\n<!DOCTYPE a [<!ENTITY b 'c'>]>") } == .malformedXML
        )
        #expect(refusal { $0.replacingOccurrences(of: "<Elements>", with: "<Elements><S>5</S>") } == .malformedXML)
        #expect(refusal { $0.replacingOccurrences(of: "length=\"432000\"", with: "length=\"x\"") } == .malformedXML)
        #expect(refusal { _ in String(repeating: "<a>", count: 100_000) } == .limitExceeded)
        #expect(refusal { _ in String(repeating: " ", count: 5 << 20) } == .limitExceeded)
        #expect(code { _ = try IdemixIssuerPublicKey(xml: [0xff, 0xfe]) } == .malformedXML)
    }

    @Test(arguments: ["", "-5", "0x10", "1 2", "1.5", String(repeating: "9", count: 2_501)])
    func refusesWhatIsNoNumber(content: String) {
        for element in ["Counter", "ExpiryDate", "n", "S", "Z", "G", "Base_2"] {
            #expect(replacing(element, by: content) == .malformedXML, "\(element)")
        }
    }

    @Test func refusesNumbersThatNoKeyHas() {
        let n = keys.publicKey.elements.n
        let p = keys.privateKey.factors.p
        for element in ["S", "Z", "G", "H", "Base_0", "Base_6"] {
            for number in [0, 1, n, n + 1, p] {
                #expect(replacing(element, by: number.decimal) == .invalidKey, "\(element)")
            }
        }
        #expect(replacing("Base_1", by: keys.publicKey.elements.S.decimal) == .invalidKey)
        #expect(replacing("n", by: (n - 1).decimal) == .invalidKey)
        #expect(replacing("n", by: (n * 2 + 1).decimal) == .unsupportedKeyLength)
        #expect(replacing("Counter", by: "99999999999999999999") == .malformedXML)
        #expect(replacing("ExpiryDate", by: "99999999999999999") == .malformedXML)
        #expect(replacing("ECDSA", by: "AAAA") == .invalidKey)
        #expect(replacing("ECDSA", by: "not base64!") == .malformedXML)
    }

    @Test(arguments: [
        ("<ECDSA>[^<]*</ECDSA>", "<ECDSA></ECDSA>"), ("<ECDSA>[^<]*</ECDSA>", "<ECDSA/>"),
        ("<ECDSA>[^<]*</ECDSA>", "<ECDSA> <!-- none --></ECDSA>"), ("<ECDSA>[^<]*</ECDSA>", ""),
        ("<H>[^<]*</H>", ""), ("<G>[^<]*</G>", ""), ("<G>[^<]*</G>|<H>[^<]*</H>", ""),
        ("<G>[^<]*</G>|<H>[^<]*</H>|(?<=<ECDSA>)[^<]*", ""), ("<H>[^<]*</H>|(?<=<ECDSA>)[^<]{9}", ""),
    ])
    func readsKeysWithPartOfTheMaterialForRevocation(pattern: String, replacement: String) throws {
        let edited = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
        #expect(edited != text)
        let key = try IdemixIssuerPublicKey(xml: Array(edited.utf8))
        #expect(!key.supportsRevocation && key.revocationKey == nil)
        #expect(key.elements.G == (pattern.contains("G") ? nil : keys.publicKey.elements.G))
        #expect(key.elements.H == (pattern.contains("H") ? nil : keys.publicKey.elements.H))
        #expect(try IdemixIssuerPublicKey(xml: key.xml) == key)
        try keys.privateKey.validate(against: key)
    }

    @Test(arguments: ["<ECDSA></ECDSA>", "<ECDSA/>", ""])
    func readsPrivateKeysWithoutAnECDSAKey(element: String) throws {
        let text = String(decoding: try keys.privateKey.xml().exposed, as: UTF8.self)
        let edited = text.replacingOccurrences(
            of: "<ECDSA>[^<]*</ECDSA>",
            with: element,
            options: .regularExpression
        )
        let key = try IdemixIssuerPrivateKey(xml: Array(edited.utf8), validation: .arithmetic)
        #expect(code { _ = try key.revocationSigner() } == .revocationNotSupported)
    }

    @Test func refusesPrivateKeysWithInvalidFactors() throws {
        let (p, q) = keys.privateKey.factors
        let date = keys.publicKey.expiryDate
        func refusal(
            _ p: BigInteger,
            _ q: BigInteger,
            _ validation: IdemixIssuerPrivateKey.Validation = .safePrimes
        )
            -> IdemixError.Code?
        {
            code { _ = try IdemixIssuerPrivateKey(counter: 1, expiryDate: date, p: p, q: q, validation: validation) }
        }
        #expect(refusal(p, q) == nil)
        #expect(refusal(p, p) == .invalidKey)
        #expect(refusal(p, q + 4) == .invalidKey)
        #expect(refusal(p, q + 4, .arithmetic) == nil)
        #expect(refusal(p, q + 2, .arithmetic) == .invalidKey)
        #expect(refusal(p, -q) == .invalidKey)
        #expect(refusal(7, 11) == .invalidKey)
        #expect(refusal(23, 29) == .unsupportedKeyLength)
        let text = String(decoding: try keys.privateKey.xml().exposed, as: UTF8.self)
        let other = text.replacingOccurrences(of: "<pPrime>", with: "<pPrime>1")
        #expect(code { _ = try IdemixIssuerPrivateKey(xml: Array(other.utf8)) } == .invalidKey)
        let counter = text.replacingOccurrences(of: "<Counter>1<", with: "<Counter>2<")
        let privateKey = try IdemixIssuerPrivateKey(xml: Array(counter.utf8))
        #expect(code { try privateKey.validate(against: keys.publicKey) } == .keyPairMismatch)
        let another = try IdemixIssuerKeyPair.make(p: p, q: q, counter: 1, expiryDate: date, baseCount: 4)
        #expect(code { try keys.privateKey.validate(against: another.publicKey) } == .keyPairMismatch)
        #expect(
            code { _ = try IdemixIssuerKeyPair.make(p: p, q: q, counter: 1, expiryDate: date, baseCount: 1) }
                == .invalidKey
        )
    }

    @Test func refusesMalformedPrivateKeys() throws {
        let text = String(decoding: try keys.privateKey.xml().exposed, as: UTF8.self)
        func refusal(_ pattern: String, _ replacement: String) -> IdemixError.Code? {
            let edited = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
            #expect(edited != text, "\(pattern)")
            return code { _ = try IdemixIssuerPrivateKey(xml: Array(edited.utf8), validation: .arithmetic) }
        }
        #expect(refusal("IssuerPrivateKey", "IssuerPublicKey") == .malformedXML)
        #expect(refusal("</IssuerPrivateKey>", "") == .malformedXML)
        #expect(refusal("<p>", "<p>&amp;") == .malformedXML)
        #expect(refusal("<p>", "<p>-") == .malformedXML)
        #expect(refusal("<p>", "<p>1<!-- -->") == .invalidKey)
        #expect(refusal("<p>", "<p>1<!-- --> <!-- -->") == .malformedXML)
        #expect(refusal("<p>", "<p>" + String(repeating: "7", count: 1 << 20)) == .malformedXML)
        #expect(refusal("<q>[0-9]*</q>", "") == .malformedXML)
        #expect(refusal("<q>[0-9]*</q>", "<q>0</q>") == .invalidKey)
        #expect(refusal("<qPrime>[0-9]*</qPrime>", "<qPrime>5</qPrime>") == .invalidKey)
        #expect(refusal("<Elements>", "<Elements><p>7</p>") == .malformedXML)
        #expect(refusal("<ECDSA>[^<]*", "<ECDSA>AAAA") == .invalidKey)
        #expect(refusal("<ECDSA>[^<]*", "<ECDSA>***") == .malformedXML)
        #expect(refusal("<Counter>1", "<Counter>") == .malformedXML)
        #expect(refusal("\\?>", "?><!DOCTYPE a SYSTEM \"file:///etc/passwd\">") == .malformedXML)
    }

    @Test func survivesMutations() throws {
        var mutator = Mutator(seed: 3)
        let (publicXML, privateXML) = (keys.publicKey.xml, try keys.privateKey.xml().exposed)
        for _ in 0..<500 {
            _ = try? IdemixIssuerPublicKey(xml: mutator.mutate(publicXML))
            _ = try? IdemixIssuerPrivateKey(xml: mutator.mutate(privateXML), validation: .arithmetic)
        }
    }
}
