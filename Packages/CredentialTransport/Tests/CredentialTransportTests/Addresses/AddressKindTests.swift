import CredentialTransport
import Testing

@Suite struct AddressKindTests {
    @Test(arguments: [
        ("0.0.0.0", AddressKind.unspecified), ("0.255.255.255", .unspecified), ("::", .unspecified),
        ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("::1", .loopback),
        ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("172.16.0.0", .privateUse),
        ("172.31.255.255", .privateUse), ("192.168.0.1", .privateUse), ("192.168.255.255", .privateUse),
        ("fc00::1", .uniqueLocal), ("fdff:ffff::1", .uniqueLocal), ("fec0::1", .uniqueLocal),
        ("100.64.0.0", .sharedAddressSpace), ("100.127.255.255", .sharedAddressSpace),
        ("169.254.0.1", .linkLocal), ("169.254.255.255", .linkLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("169.254.169.254", .metadataService), ("169.254.170.2", .metadataService),
        ("169.254.170.23", .metadataService), ("168.63.129.16", .metadataService),
        ("100.100.100.200", .metadataService), ("192.0.0.192", .metadataService),
        ("fd00:ec2::254", .metadataService), ("fd00:ec2::23", .metadataService), ("fd20:ce::254", .metadataService),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast),
        ("255.255.255.255", .broadcast),
        ("192.0.2.1", .documentation), ("198.51.100.1", .documentation), ("203.0.113.255", .documentation),
        ("2001:db8::1", .documentation), ("3fff::1", .documentation), ("3fff:fff::1", .documentation),
        ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking), ("2001:2::1", .benchmarking),
        ("192.0.0.1", .reserved), ("240.0.0.1", .reserved), ("255.255.255.254", .reserved), ("100::1", .reserved),
        ("2001:1ff:ffff::1", .reserved), ("4000::1", .reserved), ("5f00::1", .reserved), ("64:ff9c::1", .reserved),
        ("192.88.99.1", .transition), ("::8.8.8.8", .transition), ("::ffff:0:8.8.8.8", .transition),
        ("2002:808:808::1", .transition), ("2002:7f00:1::", .transition), ("2001::1", .transition),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .transition), ("64:ff9b:1::8.8.8.8", .transition),
    ])
    func setAside(text: String, kind: AddressKind) throws {
        #expect(try #require(IPAddress(text)).kind == kind)
    }

    @Test(arguments: [
        ("::ffff:127.0.0.1", AddressKind.loopback), ("::ffff:169.254.169.254", .metadataService),
        ("::ffff:10.1.2.3", .privateUse), ("64:ff9b::127.0.0.1", .loopback), ("64:ff9b::10.1.2.3", .privateUse),
        ("64:ff9b::169.254.169.254", .metadataService), ("64:ff9b::0.0.0.0", .unspecified),
    ])
    func formsThatReachVersion4AreJudgedAsIt(text: String, kind: AddressKind) throws {
        #expect(try #require(IPAddress(text)).kind == kind)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
        "2606:4700:4700::1111", "2001:200::1", "2001:db7:ffff::1", "2001:db9::", "2003::1", "3ffe:ffff::1",
        "3fff:1000::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ])
    func onThePublicInternet(text: String) throws {
        #expect(try #require(IPAddress(text)).kind == nil)
    }
}
